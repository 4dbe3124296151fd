// `npm test`: everything there is to run, on a machine that has nothing but Node. Each part runs whether or not the
// one before it passed, and the last line counts all of them.
import { refuseOldNode } from './node-version.js'

refuseOldNode()
const { testEverything } = await import('./test-everything.js')
await testEverything()
