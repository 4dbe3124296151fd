import { setTimeout as sleep } from 'node:timers/promises'

const TIMING = {
  lookEveryMs: 1_000,
  /** An alert is late after this time. */
  firesWithinMs: 120_000,
  /** So long nothing may be pending or fire before it counts as calm: three evaluations of the rules. */
  calmForMs: 45_000,
  /** Most alerts look back for two or five minutes, and some for ten. */
  calmWithinMs: 12 * 60_000,
}
/** For how long a fault lasts at most, with some time to inject and heal it. */
export const LONGEST_SECONDS = (TIMING.firesWithinMs + TIMING.calmWithinMs) / 1_000 + 120

/** These look back for half an hour or longer, so they fire long after what raised them. A run does not wait for their end. */
const LONG_MEMORY = ['ApiErrorBudgetBurnsSlowly', 'MoneyCommandsSlowForHours', 'DeadLetters']

/** @typedef {{ name: string, state: 'pending' | 'firing' }} Alert */

/**
 * What became of one fault: after how many seconds its alert fired (null when it did not), which other alerts fired until it was calm
 * again, those of them that do not follow from it, and whether it became calm.
 * @typedef {{ name: string, alert: string, seconds: number | null, others: string[], wrong: string[], isCalm: boolean }} Result
 */

/**
 * Resolves to true when nothing has been pending or fired for a while; to false when that takes too long.
 * @param {() => Promise<Alert[]>} alerts
 * @param {(detail: string) => void} note
 * @param {typeof TIMING} timing
 * @param {(alerts: Alert[]) => void} see gets what each look has found
 */
export async function untilCalm(alerts, note, timing = TIMING, see = () => {}) {
  const began = performance.now()
  /** @type {number | null} */
  let calmSince = null
  for (;;) {
    const found = await alerts()
    see(found)
    const disturbing = found.filter(({ name }) => !LONG_MEMORY.includes(name))
    note(disturbing.map(({ name, state }) => `${name} ${state}`).join(', '))
    const now = performance.now()
    calmSince = disturbing.length > 0 ? null : (calmSince ?? now)
    if (calmSince !== null && now - calmSince >= timing.calmForMs) return true
    if (now - began > timing.calmWithinMs) return false
    await sleep(timing.lookEveryMs)
  }
}

/**
 * Injects a fault, waits until its alert fires, heals it, and waits until it is calm again. What fires before does not count.
 * @param {import('./faults.js').Fault} fault
 * @param {any} world
 * @param {() => Promise<Alert[]>} alerts
 * @param {(detail: string) => void} note
 * @param {typeof TIMING} timing
 * @returns {Promise<Result>}
 */
export async function tryFault(fault, world, alerts, note, timing = TIMING) {
  const before = firing(await alerts())
  /** @type {Set<string>} */
  const fired = new Set()
  const see = found => {
    for (const name of firing(found)) if (!before.includes(name)) fired.add(name)
  }
  const began = performance.now()
  const heal = await fault.inject(world)
  /** @type {number | null} */
  let seconds = null
  try {
    while (seconds === null && performance.now() - began < timing.firesWithinMs) {
      see(await alerts())
      if (fired.has(fault.alert)) seconds = (performance.now() - began) / 1000
      else await sleep(timing.lookEveryMs)
    }
  } finally {
    await heal()
  }
  const isCalm = await untilCalm(alerts, note, timing, see)
  const others = [...fired].filter(name => name !== fault.alert)
  /** @type {readonly string[]} */
  const follows = fault.follows
  const wrong = others.filter(name => !follows.includes(name))
  return { name: fault.name, alert: fault.alert, seconds, others, wrong, isCalm }
}

const firing = alerts => alerts.filter(({ state }) => state === 'firing').map(({ name }) => name)

/** What is wrong with a result, as sentences. @param {Result} result */
export function problemsOf({ name, alert, seconds, wrong, isCalm }) {
  return [
    ...(seconds === null ? [`${name}: ${alert} did not fire within ${TIMING.firesWithinMs / 1000} s`] : []),
    ...(wrong.length > 0 ? [`${name}: ${wrong.join(', ')} fired, and does not follow from it`] : []),
    ...(isCalm ? [] : [`${name}: alerts go on ${TIMING.calmWithinMs / 60_000} minutes after it was healed`]),
  ]
}
