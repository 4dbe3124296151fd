// `npm run access-mutations`: removes guards one at a time, and proves that the matrix of who may do what (e2e/access) notices each.
// A text selects the mutations whose name contains it; `-- --from <text>` begins with the first such one. `-- --matrix` asks the whole
// matrix of the unchanged product instead.
import { askWholeMatrix, provesMutations } from './access/run.js'
import { build } from './build.js'
import { phase } from './output.js'
import { session } from './session.js'
import { writeOutcome } from './suites.js'

const optionsOf = (argument = '') => (argument === '--from' ? { from: process.argv[3] } : { only: argument })

await session(async (processes, undo) => {
  await phase('Building', note => build(processes, note))
  const argument = process.argv[2]
  if (argument === '--matrix') return askWholeMatrix(processes, undo)
  const outcome = await provesMutations(processes, undo, optionsOf(argument))
  writeOutcome(outcome)
  return outcome.failures.length === 0 ? 0 : 1
})
