import { nextLook, type Outlook, RETRY_MS } from './next-look.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const now = new Date('2026-11-01T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const paid: Outlook = {
  ...{ status: 'active', periodEndsAt: later(20 * DAY_MS), pastDueSince: null },
  ...{ endsAtOnce: false, moneyBack: null, isToCancel: false, hasOpenInvoice: false, hasDraft: false },
}
const look = (changes: Partial<Outlook>) => nextLook({ ...paid, ...changes }, now, 86_400)

describe('the timer looks again', () => {
  test('two hours after the end of a period that is paid', () => {
    expect(look({})).toEqual(later(20 * DAY_MS + 2 * HOUR_MS))
  })

  test('in an hour while a payment is awaited', () => {
    const awaited: Partial<Outlook>[] = [
      { status: 'incomplete' },
      { status: 'past_due', pastDueSince: now },
      { status: 'past_due', pastDueSince: later(-30 * DAY_MS) },
      { hasDraft: true },
      { hasOpenInvoice: true },
      { periodEndsAt: later(-2 * HOUR_MS) },
      { periodEndsAt: later(-30 * DAY_MS) },
    ]
    expect(awaited.map(look)).toEqual(awaited.map(() => later(HOUR_MS)))
  })

  test('when Premium ends, if that is sooner', () => {
    const minute = 60_000
    expect(look({ status: 'past_due', pastDueSince: later(minute - 7 * DAY_MS) })).toEqual(later(minute))
    expect(look({ periodEndsAt: later(minute - 7 * DAY_MS) })).toEqual(later(minute))
  })

  test('soon while it is to end at once or to be cancelled, or has ended with an invoice that can be paid', () => {
    expect(look({ endsAtOnce: true })).toEqual(later(RETRY_MS))
    expect(look({ isToCancel: true })).toEqual(later(RETRY_MS))
    expect(look({ status: 'ended', hasOpenInvoice: true })).toEqual(later(RETRY_MS))
  })

  test('never after the end: a draft of it does not become final', () => {
    expect(look({ status: 'ended', endsAtOnce: true })).toBeNull()
    expect(look({ status: 'ended', hasDraft: true })).toBeNull()
  })
})
