// The entry of `npm start`. It checks Node's version before it loads other files, so that a person with an old Node reads one
// sentence and not a syntax error.
import { refuseOldNode } from './node-version.js'

refuseOldNode()
const { launch } = await import('./launch.js')
await launch(process.argv.slice(2), process.env)
