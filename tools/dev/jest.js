// `node tools/dev/jest.js <kinds of tests> -- [Jest's options and patterns]`: runs tests that need no database.
import { spawnSync } from 'node:child_process'
import { jestArguments, readWords } from './jest-run.js'
import { ROOT } from './settings.js'

const { kinds, patterns } = readWords(process.argv.slice(2))
const { status } = spawnSync(process.execPath, jestArguments(kinds, patterns), { cwd: ROOT, stdio: 'inherit' })
process.exitCode = status ?? 1
