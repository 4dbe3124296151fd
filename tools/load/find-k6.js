import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const K6 = 'go.k6.io/k6@v1.8.1'

/** The path of k6: on the PATH, or where the engines of the tests are (tools/engines). Throws an Error that says how to install it. */
export function findK6({ PATH = '', ENGINES_HOME = path.join(os.homedir(), '.cache/holdfast/engines') }) {
  const bin = path.join(ENGINES_HOME, 'bin')
  const found = [...PATH.split(path.delimiter), bin]
    .map(folder => path.join(folder, 'k6'))
    .find(file => fs.existsSync(file))
  if (found) return found
  throw new Error(`k6 is not on this machine. With Go 1.24 or newer, in some minutes: GOBIN=${bin} go install ${K6}`)
}
