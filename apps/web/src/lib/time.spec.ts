import { formatDeadline, formatRelative, formatTimeLeft } from './time.js'

const UTC = { timeZone: 'UTC' }
const now = new Date('2026-11-30T14:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test('chat times read as the spec has them', () => {
  expect(formatRelative(later(-59_000), now, UTC)).toBe('Just now')
  expect(formatRelative(later(-MINUTE), now, UTC)).toBe('1m ago')
  expect(formatRelative(later(-59 * MINUTE), now, UTC)).toBe('59m ago')
  expect(formatRelative(later(-HOUR), now, UTC)).toBe('1h ago')
  expect(formatRelative(later(-23 * HOUR), now, UTC)).toBe('23h ago')
  expect(formatRelative(later(-DAY), now, UTC)).toBe('Nov 29, 2026')
})

test('a time slightly ahead of this clock is still just now', () => {
  expect(formatRelative(later(2_000), now, UTC)).toBe('Just now')
})

test('time left shows its two largest units, and nothing once it has passed', () => {
  expect(formatTimeLeft(later(2 * DAY + 4 * HOUR), now)).toBe('2 days 4 h')
  expect(formatTimeLeft(later(DAY), now)).toBe('1 day')
  expect(formatTimeLeft(later(3 * HOUR + 20 * MINUTE), now)).toBe('3 h 20 min')
  expect(formatTimeLeft(later(12 * MINUTE), now)).toBe('12 min')
  expect(formatTimeLeft(later(500), now)).toBe('1 s')
  expect(formatTimeLeft(now, now)).toBeNull()
})

test('a deadline today is a time, another day a date, another year says which', () => {
  expect(formatDeadline(new Date('2026-11-30T15:40:00.000Z'), now, UTC)).toMatch(/^3:40\sPM today$/)
  expect(formatDeadline(new Date('2026-12-04T15:40:00.000Z'), now, UTC)).toBe('Fri, Dec 4')
  expect(formatDeadline(new Date('2027-01-04T15:40:00.000Z'), now, UTC)).toBe('Mon, Jan 4, 2027')
})
