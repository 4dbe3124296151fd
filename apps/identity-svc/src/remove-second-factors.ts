/** `node apps/identity-svc/dist/remove-second-factors.js <email> "<reason>"`: for a user who has lost all of them. Uses DATABASE_URL. */
import { runForUser } from './operator-command.js'
import { removeSecondFactors } from './users/remove-second-factors.js'

await runForUser('remove-second-factors', removeSecondFactors, 'has no second factor any more, and is signed out')
