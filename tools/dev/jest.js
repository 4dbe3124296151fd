// `node tools/dev/jest.js <kinds of tests> -- [Jest's options and patterns]`: runs tests that need no database.
import { spawnSync } from 'node:child_process'
import { jestArguments } from './jest-run.js'
import { ROOT } from './settings.js'

const words = process.argv.slice(2)
// Without `--` every word is a kind.
const kinds = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
const rest = words.slice(kinds.length + 1).filter(word => word !== '--')
const { status } = spawnSync(process.execPath, jestArguments(kinds, rest), { cwd: ROOT, stdio: 'inherit' })
process.exitCode = status ?? 1
