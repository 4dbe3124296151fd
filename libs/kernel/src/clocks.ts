/** The deadlines of a deal, in days. `DAY_SECONDS` says how long a day is. */
import type { PaymentMethod } from './payments.js'

export const CLOCKS = ['payment_window', 'ship_by', 'receive_by', 'inspection'] as const
export type Clock = (typeof CLOCKS)[number]

/** What can happen to a clock. A deal's due time is derived from the list of these. */
export const CLOCK_CHANGES = ['started', 'paused', 'resumed', 'extended', 'stopped'] as const
export type ClockChange = (typeof CLOCK_CHANGES)[number]

export const PAYMENT_WINDOW_DAYS: Record<PaymentMethod, number> = { card: 1, bank: 5, crypto: 5 }
export const SHIP_BY_DAYS = 7
export const RECEIVE_BY_DAYS_AFTER_SHIPPING = 30
export const RECEIVE_BY_DAYS_AFTER_HANDOVER = 14
/** When receive-by has passed and the carrier gives no answer that is believed, the system waits this long before it files a dispute. */
export const CARRIER_WAIT_DAYS = 1
/** An as-is deal has no inspection. When only the carrier says "delivered", the buyer still has this long to object. */
export const AS_IS_CARRIER_INSPECTION_DAYS = 2
/** When a stopped deal goes on for the first time, its clock gets at least this much time. */
export const MIN_RESUMED_CLOCK_DAYS = 1

/** When no replica could act for longer than this, every clock that ran is extended by that time. */
export const OUTAGE_AFTER_MS = 60_000

/** A day in seconds. `DAY_SECONDS` shortens it for a demo or a test; production refuses another value. */
export const REAL_DAY_SECONDS = 86_400
