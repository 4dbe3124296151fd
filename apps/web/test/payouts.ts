import type { Payout, PayoutAccount, PayoutsOverview } from '@holdfast/contracts/payouts'
import { uuid } from './ids.js'

/** A payout that is on its way to the bank. */
export const payout = (more: Partial<Payout> = {}): Payout => ({
  id: uuid(70),
  amount: '98.50',
  currency: 'USD',
  status: 'in_transit',
  bankLabel: 'Test Bank ending in 6789',
  createdAt: '2026-03-01T10:00:00.000Z',
  arrivedAt: null,
  failure: null,
  deals: [{ transactionId: 7, title: 'Camera', amount: '98.50' }],
  ...more,
})

/** The balance of a seller who can be paid out. */
export const payouts = (more: Partial<PayoutsOverview> = {}): PayoutsOverview => ({
  currency: 'USD',
  available: '98.50',
  inTransit: '0.00',
  paid: '0.00',
  nextPayoutAt: '2026-03-02T10:00:00.000Z',
  blockedBy: null,
  waitsUntil: null,
  payouts: [],
  chargebacks: [],
  ...more,
})

export const readyAccount: PayoutAccount = { status: 'ready', bankLabel: 'Test Bank ending in 6789', reason: null }
