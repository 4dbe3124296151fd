import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 1_000
/** An alert is late after this time. */
export const FIRES_WITHIN_MS = 120_000
/** The longest time that an alert of minutes looks back is ten minutes; most look back for two or five. */
const CALM_WITHIN_MS = 12 * 60_000
/** The longest time that a fault may take. */
export const LONGEST_SECONDS = (FIRES_WITHIN_MS + CALM_WITHIN_MS) / 1_000 + 120
/** So long nothing may fire before a fault: three evaluations of the rules. */
const CALM_FOR_MS = 45_000

/** These look back for half an hour or longer, so they go on firing when what raised them is long over. A run does not wait for them. */
const LONG_MEMORY = ['ApiErrorBudgetBurnsSlowly', 'MoneyCommandsSlowForHours', 'DeadLetters']
const isOver = ({ name }) => !LONG_MEMORY.includes(name)

/**
 * What became of one fault: after how many seconds its alert fired (null when it did not), which other alerts fired until it was calm
 * again, those of them that do not follow from it, and whether it became calm.
 * @typedef {{ name: string, alert: string, seconds: number | null, others: string[], wrong: string[], calmAgain: boolean }} Result
 */

/** Resolves to true when nothing has been pending or has fired for a while, to the names of what is when the time is over. */
export async function untilCalm(alerts, note, withinMs = CALM_WITHIN_MS, see = () => {}) {
  const until = performance.now() + withinMs
  let calmSince = null
  for (;;) {
    const now = await alerts()
    see(now)
    const disturbing = now.filter(isOver)
    note(disturbing.map(({ name, state }) => `${name} ${state}`).join(', '))
    calmSince = disturbing.length > 0 ? null : (calmSince ?? performance.now())
    if (calmSince !== null && performance.now() - calmSince >= CALM_FOR_MS) return true
    if (performance.now() > until) return false
    await sleep(LOOK_EVERY_MS)
  }
}

/**
 * Injects a fault, waits until its alert fires, heals it, and waits until it is calm again. What fires already counts for nothing.
 * @param {{ name: string, alert: string, follows: readonly string[], inject: (world: object) => Promise<() => Promise<void>> }} fault
 * @param {() => Promise<{ name: string, state: string }[]>} alerts
 * @returns {Promise<Result>}
 */
export async function tryFault(fault, world, alerts, note) {
  const before = new Set(firing(await alerts()))
  const fired = new Set()
  const see = now => {
    for (const name of firing(now)) if (!before.has(name)) fired.add(name)
  }
  const began = performance.now()
  const heal = await fault.inject(world)
  let seconds = null
  try {
    while (seconds === null && performance.now() - began < FIRES_WITHIN_MS) {
      see(await alerts())
      if (fired.has(fault.alert)) seconds = (performance.now() - began) / 1000
      else await sleep(LOOK_EVERY_MS)
      note(`${fault.name}: ${[...fired].join(', ') || 'nothing fires yet'}`)
    }
  } finally {
    await heal()
  }
  const calmAgain = await untilCalm(alerts, note, CALM_WITHIN_MS, see)
  const others = [...fired].filter(name => name !== fault.alert)
  return {
    ...{ name: fault.name, alert: fault.alert, seconds, calmAgain, others },
    wrong: others.filter(name => !fault.follows.includes(name)),
  }
}

const firing = alerts => alerts.filter(({ state }) => state === 'firing').map(({ name }) => name)

/** What is wrong with a result, as sentences. @param {Result} result */
export function faultsOf({ name, alert, seconds, wrong, calmAgain }) {
  return [
    ...(seconds === null ? [`${name}: ${alert} did not fire within ${FIRES_WITHIN_MS / 1000} s`] : []),
    ...(wrong.length > 0 ? [`${name}: ${wrong.join(', ')} fired, which does not follow from it`] : []),
    ...(calmAgain ? [] : [`${name}: it is healed, and alerts did not end within ${CALM_WITHIN_MS / 60_000} minutes`]),
  ]
}
