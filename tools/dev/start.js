// The door of `npm start`. It looks at Node's version before anything else is loaded, so that an old Node answers with
// one sentence and not with a syntax error of a file it cannot read.
import { refuseOldNode } from './node-version.js'

refuseOldNode()
const { launch } = await import('./launch.js')
await launch(process.argv.slice(2), process.env)
