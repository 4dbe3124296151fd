// `npm run access-mutations`: removes guards one at a time, and proves that the matrix of who may do what (e2e/access) notices each.
// A text selects the mutations whose name contains it; `-- --from <text>` begins with the first such one. `-- --matrix` asks the whole matrix of the unchanged product instead.
import { askWholeMatrix, provesMutations } from './access/run.js'
import { build } from './build.js'
import { phase } from './output.js'
import { session } from './session.js'

await session(async (processes, undo) => {
  await phase('Building', note => build(processes, note))
  const argument = process.argv[2]
  if (argument === '--matrix') return askWholeMatrix(processes, undo)
  const options = argument === '--from' ? { from: process.argv[3] } : { only: argument ?? '' }
  const { failures } = await provesMutations(processes, undo, options)
  return failures.length === 0 ? 0 : 1
})
