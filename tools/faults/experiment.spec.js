import { problemsOf, tryFault } from './experiment.js'

const TIMING = { lookEveryMs: 1, firesWithinMs: 200, calmForMs: 5, calmWithinMs: 200 }
/** @returns {Alert} */
const firing = name => ({ name, state: 'firing' })
/** @returns {Alert} */
const pending = name => ({ name, state: 'pending' })

/**
 * Tries a fault in a world whose alerts are those of `during` while it lasts, and of `after` when it is healed.
 *
 * @typedef {import('./experiment.js').Alert} Alert
 * @param {{ before?: Alert[], during?: Alert[], after?: Alert[] }} alerts
 */
async function tried({ before = [], during = [], after = [] }) {
  let now = before
  const fault = {
    name: 'clock skew',
    alert: 'ClockSkew',
    follows: ['TargetDown'],
    inject: async () => {
      now = during
      return async () => {
        now = after
      }
    },
  }
  const result = await tryFault(
    fault,
    {},
    async () => now,
    () => {},
    TIMING,
  )
  return { ...result, problems: problemsOf(result) }
}

it('a fault is fine when its alert fires, with others that follow from it, and ends', async () => {
  const result = await tried({ before: [firing('DeadLetters')], during: [firing('TargetDown'), firing('ClockSkew')] })
  expect(result).toMatchObject({ others: ['TargetDown'], wrong: [], isCalm: true, problems: [] })
  expect(result.seconds).toBeLessThan(0.2)
})

it('a fault whose alert is only pending was not noticed', async () => {
  const { seconds, problems } = await tried({ during: [pending('ClockSkew')] })
  expect(seconds).toBeNull()
  expect(problems).toEqual(['clock skew: ClockSkew did not fire within 120 s'])
})

it('an alert that does not follow from the fault is wrong, also when it fires after the healing', async () => {
  const { problems } = await tried({
    during: [firing('ClockSkew'), firing('RedisDown')],
    after: [firing('DeadLetters')],
  })
  expect(problems).toEqual(['clock skew: RedisDown, DeadLetters fired, and does not follow from it'])
})

it('an alert that goes on after the healing is wrong', async () => {
  const { problems } = await tried({ during: [firing('ClockSkew')], after: [firing('ClockSkew')] })
  expect(problems).toEqual(['clock skew: alerts go on 12 minutes after it was healed'])
})
