const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Where times are shown; tests give a fixed zone, the browser its own. */
export interface TimeOptions {
  readonly timeZone?: string | undefined
}

/** "Dec 4, 2026" */
export function formatDate(at: Date, { timeZone }: TimeOptions = {}): string {
  return at.toLocaleDateString('en-US', { day: 'numeric', month: 'short', year: 'numeric', timeZone })
}

/** "3:40 PM" */
export function formatTime(at: Date, { timeZone }: TimeOptions = {}): string {
  return at.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone })
}

/** "Thu, Dec 4, 3:40 PM" */
export function formatDateTime(at: Date, { timeZone }: TimeOptions = {}): string {
  return at.toLocaleString('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  })
}

/**
 * A deadline as one acts on it: "3:40 PM today" when it falls on today's date, "Thu, Dec 4" otherwise, with the year when
 * that is another one.
 */
export function formatDeadline(at: Date, now: Date, { timeZone }: TimeOptions = {}): string {
  if (formatDate(at, { timeZone }) === formatDate(now, { timeZone })) {
    return `${formatTime(at, { timeZone })} today`
  }
  const sameYear = yearOf(at, timeZone) === yearOf(now, timeZone)
  return at.toLocaleDateString('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: sameYear ? undefined : 'numeric',
    timeZone,
  })
}

const yearOf = (at: Date, timeZone?: string) => at.toLocaleDateString('en-US', { year: 'numeric', timeZone })

/** What is left until a time, in its two largest units: "2 days 4 h", "3 h 20 min", "12 min", "40 s"; null once passed. */
export function formatTimeLeft(at: Date, now: Date): string | null {
  const left = at.getTime() - now.getTime()
  if (left <= 0) return null
  if (left < MINUTE) return `${Math.ceil(left / 1000)} s`
  if (left < HOUR) return `${Math.floor(left / MINUTE)} min`
  if (left < DAY) return joined(Math.floor(left / HOUR), 'h', Math.floor((left % HOUR) / MINUTE), 'min')
  const days = Math.floor(left / DAY)
  return joined(days, days === 1 ? 'day' : 'days', Math.floor((left % DAY) / HOUR), 'h')
}

const joined = (large: number, unit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`

/** Times of chat and notifications (spec section 9): 'Just now', 'Nm ago', 'Nh ago', then the date. */
export function formatRelative(at: Date, now: Date, options: TimeOptions = {}): string {
  const ago = now.getTime() - at.getTime()
  if (ago < MINUTE) return 'Just now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)}m ago`
  if (ago < DAY) return `${Math.floor(ago / HOUR)}h ago`
  return formatDate(at, options)
}
