// `pack-changed.js <service> <folder> <changes>`: packs a service with changes of its sources into a folder of the checkout. The changes
// are a JSON list of `{ name, file, find, replace }`. Fails when a file does not have its text exactly once.
import { packWith } from './access/change.js'

const [service, folder, changes] = process.argv.slice(2)
await packWith(JSON.parse(changes), [service], folder)
