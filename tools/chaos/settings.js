import { Failure } from '../dev/failure.js'

/**
 * `seconds` are enough for each kind of fault once. `goodput` is the least percentage of commands that must succeed in time while there are
 * faults, of the percentage without faults.
 */
const DEFAULTS = { seconds: 75, perSecond: 60, replicas: 2, goodput: 80 }

/**
 * The settings of a run, from arguments such as `--seed 42 --distributed`. The seed is another one each time when it is left out. `--restarts`
 * stands alone and is a run of its own.
 * @param {readonly string[]} args
 * @throws Failure that names what is wrong
 */
export function readSettings(args) {
  if (args.length === 1 && args[0] === '--restarts') return { restarts: true }
  const settings = { seed: Date.now() % 1_000_000, ...DEFAULTS, kills: undefined }
  const distributed = args.includes('--distributed')
  args = args.filter(arg => arg !== '--distributed')
  for (let n = 0; n < args.length; n += 2) {
    const name = args[n].replace(/^--/, '')
    const value = Number(args[n + 1])
    const isKnown = args[n].startsWith('--') && Object.hasOwn(settings, name)
    if (!isKnown || !Number.isInteger(value) || value < 1) {
      const names = Object.keys(settings).map(each => `--${each}`)
      throw new Failure(
        `"${args.slice(n, n + 2).join(' ')}" is unknown: npm run chaos takes --restarts alone, or --distributed, and ${names.join(', ')}, each with a whole number.`,
      )
    }
    settings[name] = value
  }
  // There is a kill every two to three seconds.
  if (settings.kills !== undefined && !args.includes('--seconds')) settings.seconds = 60 + 5 * settings.kills
  return { ...settings, distributed }
}
