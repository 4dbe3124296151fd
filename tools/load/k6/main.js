// Runs in k6, not in Node. tools/load/main.js starts it and sets its variables.
import { prepare } from './prepare.js'
import { optionsOf } from './scenarios.js'

export { browse, buy, chat } from './flows.js'

export const options = optionsOf(__ENV.SCENARIO, { rate: Number(__ENV.RATE) || null, duration: __ENV.DURATION || null })

// k6 replaces `options` before it calls `setup`.
const flows = Object.keys(options.scenarios)

/** Answers what every iteration gets: the people with their sessions, listings to buy, and transactions to chat in. */
export const setup = () => prepare(flows)
