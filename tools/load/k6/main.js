// Runs in k6, not in Node. tools/load/main.js starts it and sets its variables.
import { prepare } from './prepare.js'
import { flowsOf, optionsOf, peakOptionsOf } from './scenarios.js'

export { browse, buy, chat, mixed } from './flows.js'

const { SCENARIO, PEAK, RATE, DURATION, STRICT } = __ENV
export const options = PEAK
  ? peakOptionsOf(SCENARIO)
  : optionsOf(SCENARIO, { rate: Number(RATE) || null, duration: DURATION || null, isStrict: Boolean(STRICT) })

const flows = flowsOf(SCENARIO)

/** Answers what every iteration gets: the people with their sessions, listings to buy, and transactions to chat in. */
export const setup = () => prepare(flows)
