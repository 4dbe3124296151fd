// `npm test`: every suite, on a machine that has only Node. Each part runs whether or not an earlier one passed. The last
// line counts all of them.
import { refuseOldNode } from './node-version.js'

refuseOldNode()
const { testEverything } = await import('./test-everything.js')
await testEverything()
