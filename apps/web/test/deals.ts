import type { SettledChargeback } from '@holdfast/contracts/transactions'
import type { MoneyLineDeal } from '../src/features/deal/shared/money-line/money-line.types.js'

/** 14:00 UTC on a Monday. */
export const NOW = new Date('2026-11-30T14:00:00.000Z')

/** The chargeback of the deal below after its release. */
export const chargeback = (status: SettledChargeback['status']): SettledChargeback => ({
  status,
  amount: '107.00',
  fromSeller: status === 'won' ? '0.00' : '98.50',
  since: '2026-11-23T10:00:00.000Z',
})

/** Ben buys something from Ana for $100.00: he pays $107.00 with fees, she receives $98.50. */
export function deal(change: Partial<MoneyLineDeal> = {}): MoneyLineDeal {
  return {
    status: 'paid',
    amount: '100.00',
    currency: 'USD',
    viewerRole: 'buyer',
    turn: 'seller',
    clock: { kind: 'ship_by', dueAt: '2026-12-04T14:00:00.000Z', outcome: 'refunded' },
    completesOnDelivery: false,
    paymentProcessing: false,
    waitsForBank: false,
    chargeback: null,
    refund: null,
    actions: [],
    sellerAccepted: true,
    openedBy: 'buyer',
    trackingNumber: '1Z999',
    money: {
      buyerFee: '7.00',
      buyerTotal: '107.00',
      sellerFee: '1.50',
      sellerNet: '98.50',
      held: '107.00',
      released: '0.00',
      refunded: '0.00',
      chargedBack: '0.00',
    },
    buyer: { firstName: 'Ben' },
    seller: { firstName: 'Ana' },
    ...change,
  }
}
