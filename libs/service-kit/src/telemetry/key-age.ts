import { gauge } from './metrics.js'

const madeAt = gauge(
  'key_made_timestamp_seconds',
  'When the current key of a setting was made, as its id says; 0 when its id says no date',
  ['setting', 'key'],
)

/** The id of a key begins with the month or the day on which it was made: `2026-07`, `2026-07-15`, `2026-07-b`. */
const DATED = /^(\d{4}-(?:0[1-9]|1[0-2]))(-(?:0[1-9]|[12]\d|3[01]))?(?:-|$)/

/**
 * Shows when a key was made, so that an alert can say that it is time for the next one: keys have no expiry of their own.
 *
 * @param setting the variable that has the key
 * @param id the id of the key that encrypts now. A month counts from its first day
 */
export function showKeyAge(setting: string, id: string): void {
  const [, month, day = '-01'] = DATED.exec(id) ?? []
  madeAt.set({ setting, key: id }, month === undefined ? 0 : Date.parse(`${month}${day}T00:00:00Z`) / 1000)
}
