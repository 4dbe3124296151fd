/** `node apps/identity-svc/dist/make-admin.js <email> "<reason>"`: makes a user an admin. Uses DATABASE_URL. */
import { runForUser } from './operator-command.js'
import { makeAdmin } from './users/make-admin.js'

await runForUser('make-admin', makeAdmin, 'is an admin now')
