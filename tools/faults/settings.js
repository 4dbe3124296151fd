import { Failure } from '../dev/failure.js'

export const HELP = `npm run faults                              every fault in turn, in about 40 minutes
npm run faults -- --only "full disk"        one of them; several with commas
npm run faults -- --help                    this text

Each fault must raise its alert within two minutes and no alert that does not follow from it. tools/faults/README.md says more.`

/**
 * The settings of a run, from arguments such as `--only "clock skew,full disk"`.
 * @param {readonly string[]} args
 * @param {readonly string[]} known the names of the faults, in the order in which they are injected
 * @returns {{ help: boolean, names: readonly string[] }}
 * @throws Failure that names what is wrong
 */
export function readSettings(args, known) {
  if (args.includes('--help')) return { help: true, names: [] }
  if (args.length === 0) return { help: false, names: known }
  const [option, list, ...more] = args
  if (option !== '--only' || !list || more.length > 0)
    throw new Failure(
      `"${args.join(' ')}" is unknown: npm run faults takes --only with the names of faults, and --help`,
    )
  const wanted = list.split(',').map(name => name.trim())
  const unknown = wanted.filter(name => !known.includes(name))
  if (unknown.length > 0)
    throw new Failure(`There is no fault "${unknown.join('", "')}". There are: ${known.join(', ')}`)
  return { help: false, names: known.filter(name => wanted.includes(name)) }
}
