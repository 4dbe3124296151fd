import type { Transaction } from '@holdfast/contracts/transactions'
import { deal } from './deals.js'
import { ana, ben, chair } from './people.js'

const AT = '2026-11-28T10:00:00.000Z'

/** Deal 42: Ben buys Ana's oak chair for $100.00; paid, and waiting for her to ship, as Ben sees it. */
export function transaction(change: Partial<Transaction> = {}): Transaction {
  const { location, images, returnPolicy, inspectionPeriod } = chair
  return {
    ...deal(),
    refund: null,
    id: 42,
    listingId: chair.id,
    buyerId: ben.id,
    sellerId: ana.id,
    openedBy: 'buyer',
    createdAt: AT,
    updatedAt: AT,
    listing: {
      id: chair.id,
      title: chair.title,
      description: chair.description,
      price: '100.00',
      currency: 'USD',
      category: chair.category,
      condition: chair.condition,
      location,
      images,
      returnPolicy,
      inspectionPeriod,
    },
    trackingNumber: null,
    carrier: null,
    expectedDelivery: null,
    actions: ['confirm_delivery'],
    reached: [
      { status: 'pending', at: AT },
      { status: 'paid', at: AT },
    ],
    buyer: ben,
    seller: { ...ana, email: 'ana@example.com' },
    ...change,
  }
}

/** The same before it is paid. */
export const pendingTransaction = (change: Partial<Transaction> = {}) =>
  transaction({
    status: 'pending',
    turn: 'buyer',
    actions: ['pay', 'cancel'],
    clock: { kind: 'payment_window', dueAt: '2099-12-01T10:00:00.000Z', outcome: 'cancelled' },
    money: { ...transaction().money, held: '0.00' },
    reached: [{ status: 'pending', at: AT }],
    ...change,
  })
