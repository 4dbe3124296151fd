import { seconds } from '../dev/output.js'

/**
 * Judges what a fault has raised. Answers `{ ok, line }`, a sentence for people.
 * @param {{ name: string, alert: string, also: readonly string[] }} fault
 * @param {{ problem: string } | { firedAfterMs: number | null, others: readonly string[] }} outcome
 */
export function judge({ name, alert, also }, outcome) {
  if ('problem' in outcome) return { ok: false, line: `${name.padEnd(16)} not tried: ${outcome.problem}` }
  const { firedAfterMs, others } = outcome
  const wrong = others.filter(other => !also.includes(other))
  const fired = firedAfterMs === null ? `${alert} did not fire` : `${alert} after ${seconds(firedAfterMs)}`
  const rest = [
    ...others.filter(other => also.includes(other)).map(other => `also ${other}`),
    ...wrong.map(other => `WRONG ${other}`),
  ]
  return { ok: firedAfterMs !== null && wrong.length === 0, line: [`${name.padEnd(16)} ${fired}`, ...rest].join(', ') }
}
