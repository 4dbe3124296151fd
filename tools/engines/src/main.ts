// Installs the engines, each only if this machine has what it needs. Ends with 1 when one of them is missing.
import { ENGINES, missingFor } from './install.js'

let missing = 0
for (const engine of ENGINES) {
  const lacks = missingFor(engine)
  if (lacks.length > 0) {
    process.stdout.write(`${engine.name}: needs ${lacks.join(', ')}\n`)
    missing++
    continue
  }
  if (!engine.isInstalled()) {
    process.stdout.write(`${engine.name}: installing\n`)
    engine.install()
  }
  process.stdout.write(`${engine.name}: ready\n`)
}
process.exitCode = missing === 0 ? 0 : 1
