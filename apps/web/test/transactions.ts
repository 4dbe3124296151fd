import type { Transaction } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { deal } from './deals.js'
import { chair } from './listings.js'
import { anaInDeal, ben, benInDeal } from './people.js'

const AT = '2026-11-28T10:00:00.000Z'
/** Long after any test runs, so that no deadline has passed. */
const DUE_AT = '2099-12-01T10:00:00.000Z'

/** The statuses in which the server shows a deal. */
type ShownStatus = Exclude<DealStatus, 'secured' | 'delivered' | 'released'>
type Change = Partial<Transaction> & { readonly status?: ShownStatus }

/** What follows from a deal's status. */
interface Stage {
  readonly turn: Transaction['turn']
  readonly clock: Transaction['clock']
  readonly actions: Record<Transaction['viewerRole'], Transaction['actions']>
  readonly reached: readonly DealStatus[]
  readonly money: Pick<Transaction['money'], 'held' | 'released' | 'refunded'>
}

const HELD = { held: '107.00', released: '0.00', refunded: '0.00' }
const NOTHING = { held: '0.00', released: '0.00', refunded: '0.00' }
const OVER: Pick<Stage, 'turn' | 'clock' | 'actions'> = { turn: null, clock: null, actions: { buyer: [], seller: [] } }

const STAGES: Record<ShownStatus, Stage> = {
  pending: {
    turn: 'buyer',
    clock: { kind: 'payment_window', dueAt: DUE_AT, outcome: 'cancelled' },
    actions: { buyer: ['pay', 'cancel'], seller: ['cancel'] },
    reached: ['pending'],
    money: NOTHING,
  },
  paid: {
    turn: 'seller',
    clock: { kind: 'ship_by', dueAt: DUE_AT, outcome: 'refunded' },
    actions: { buyer: ['confirm_delivery'], seller: ['save_tracking', 'start_handover', 'refund'] },
    reached: ['pending', 'paid'],
    money: HELD,
  },
  in_progress: {
    turn: 'buyer',
    clock: { kind: 'receive_by', dueAt: DUE_AT, outcome: 'disputed' },
    actions: { buyer: ['confirm_delivery'], seller: ['save_tracking', 'refund'] },
    reached: ['pending', 'paid', 'in_progress'],
    money: HELD,
  },
  shipped: {
    turn: null,
    clock: { kind: 'receive_by', dueAt: DUE_AT, outcome: 'disputed' },
    actions: { buyer: ['confirm_delivery'], seller: ['save_tracking', 'refund'] },
    reached: ['pending', 'paid', 'shipped'],
    money: HELD,
  },
  inspection: {
    turn: 'buyer',
    clock: { kind: 'inspection', dueAt: DUE_AT, outcome: 'released' },
    actions: { buyer: ['accept'], seller: ['refund'] },
    reached: ['pending', 'paid', 'shipped', 'delivered', 'inspection'],
    money: HELD,
  },
  completed: {
    ...OVER,
    reached: ['pending', 'paid', 'shipped', 'delivered', 'inspection', 'released', 'completed'],
    money: { ...NOTHING, released: '98.50' },
  },
  cancelled: {
    ...OVER,
    reached: ['pending', 'paid', 'cancelled'],
    money: { ...NOTHING, refunded: '107.00' },
  },
  disputed: {
    ...OVER,
    reached: ['pending', 'paid', 'shipped', 'disputed'],
    money: HELD,
  },
}

/**
 * Deal 42: Ben buys Ana's oak chair for $100.00; paid, and waiting for her to ship, as Ben sees it. With another `status`
 * or `viewerRole` it is what the server answers then. A cancelled deal is one that was paid and refunded.
 */
export function transaction(change: Change = {}): Transaction {
  const { status = 'paid', viewerRole = 'buyer', completesOnDelivery = false } = change
  const { turn, clock, actions, reached, money } = STAGES[status]
  const { location, images, returnPolicy, inspectionPeriod } = chair
  const hideUnpaid = (party: Transaction['buyer'], isViewer: boolean) =>
    status === 'pending' && !isViewer ? { ...party, email: null } : party
  return {
    ...deal(),
    refund: null,
    forcedRefund: null,
    clockAfterDispute: null,
    id: 42,
    listingId: chair.id,
    buyerId: benInDeal.id,
    sellerId: anaInDeal.id,
    openedBy: 'buyer',
    sellerAccepted: true,
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
      inspectionPeriod: completesOnDelivery ? 0 : inspectionPeriod,
    },
    trackingNumber: status === 'shipped' ? '1Z999AA1' : null,
    carrier: null,
    expectedDelivery: null,
    turn,
    clock,
    actions: actions[viewerRole],
    reached: reached.map(each => ({ status: each, at: AT })),
    money: { ...deal().money, ...money },
    buyer: hideUnpaid(benInDeal, viewerRole === 'buyer'),
    seller: hideUnpaid(anaInDeal, viewerRole === 'seller'),
    ...change,
  }
}

/** The same before it is paid: the other party's e-mail address is not shown yet. */
export const pendingTransaction = (change: Change = {}) => transaction({ status: 'pending', ...change })

/** A deal in which Ben sells the chair to Ana, as Ben sees it. */
export function sale(change: Change = {}): Transaction {
  const isUnpaid = change.status === 'pending'
  return transaction({
    ...change,
    viewerRole: 'seller',
    buyerId: anaInDeal.id,
    sellerId: ben.id,
    buyer: isUnpaid ? { ...anaInDeal, email: null } : anaInDeal,
    seller: benInDeal,
  })
}
