import path from 'node:path'
import { ENGINES_HOME, findCommand } from '@holdfast/engines/commands'
import { Failure } from '../dev/failure.js'

/** What `go install` compiles. */
export const K6 = 'go.k6.io/k6@v1.8.1'

/** The path of k6. Throws a Failure that says how to install it. */
export function findK6() {
  const found = findCommand('k6')
  if (found) return found
  const bin = path.join(ENGINES_HOME, 'bin')
  throw new Failure(`k6 is not on this machine. With Go 1.24 or newer, in some minutes: GOBIN=${bin} go install ${K6}`)
}
