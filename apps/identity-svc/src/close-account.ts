/** `node apps/identity-svc/dist/close-account.js <email> "<reason>"`: begins to close a user's account. Uses DATABASE_URL. */
import { runForUser } from './operator-command.js'
import { closeAccount } from './users/close-account.js'

await runForUser('close-account', closeAccount, 'is being closed: the person gets a mail about the end of it')
