import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PACKED = join(import.meta.dirname, '../../../.build/packed')

/**
 * The file with which Node starts a service, such as `escrow-svc`, as `npm start` does. `npm test` and `npm run test:integration` build it
 * before the tests.
 *
 * @throws Error when it is not built
 */
export function packedService(name: string): string {
  const file = join(PACKED, `${name}.js`)
  if (!existsSync(file)) throw new Error(`${name} is not built: npm run build`)
  return file
}
