/** `node apps/identity-svc/dist/verify-user.js <email> "<reason>"`: marks a user as verified. Uses DATABASE_URL. */
import { runForUser } from './operator-command.js'
import { verifyUser } from './users/verify-user.js'

await runForUser('verify-user', verifyUser, 'is verified now')
