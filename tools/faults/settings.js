import { Failure } from '../dev/failure.js'
import { FAULTS } from './faults.js'

export const USAGE = `npm run faults -- [--only <fault>,…]

Starts the product with Kafka, Redis and an S3 server, and a Prometheus with the rules of deploy/prometheus. Injects each fault in turn,
and says whether the right alert fires within two minutes, and no other. README.md in tools/faults says what it needs.

Faults: ${FAULTS.map(({ name }) => name).join(', ')}`

/**
 * The faults to inject, from the arguments of the command; null when they ask for help.
 * @param {readonly string[]} args
 * @throws Failure that names what is wrong
 */
export function readSettings(args) {
  if (args.includes('--help')) return null
  if (args.length === 0) return FAULTS
  const names = args[1]?.split(',') ?? []
  const chosen = FAULTS.filter(({ name }) => names.includes(name))
  if (args.length !== 2 || args[0] !== '--only' || chosen.length !== names.length)
    throw new Failure(`"${args.join(' ')}" is unknown.`, USAGE.split('\n'))
  return chosen
}
