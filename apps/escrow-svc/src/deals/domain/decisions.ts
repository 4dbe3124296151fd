/**
 * The rules of the escrow, pure: `(deal, command, circumstances) → everything that changes`. No clock is read and no id
 * is made here, so the same input always decides the same.
 */
import { assert } from '@holdfast/kernel/assert'
import {
  AS_IS_CARRIER_INSPECTION_DAYS,
  MIN_RESUMED_CLOCK_DAYS,
  RECEIVE_BY_DAYS_AFTER_HANDOVER,
  RECEIVE_BY_DAYS_AFTER_SHIPPING,
  SHIP_BY_DAYS,
} from '@holdfast/kernel/clocks'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import { account, charge, effectOn, refund, release, strayPayment } from '../../ledger/domain/journal.js'
import { daysMs, startClock } from './clocks.js'
import {
  buyerTotalMinor,
  type Change,
  type Circumstances,
  type ClockEntry,
  type Command,
  type Deal,
  type DealEvent,
  type RunningClock,
  sellerNetMinor,
  type TimelineFact,
} from './deal.js'
import { assertAllowed, type CommandType } from './transitions.js'

/**
 * Decides a command on a deal.
 *
 * @throws DomainError `FORBIDDEN` or `ESCROW_WRONG_STATE` where the transition table has no such step, `CONFLICT` where
 * a fact does not fit the deal (an amount that is not the quote, another dispute's freeze)
 */
export function decide(t: Deal, command: Command, given: Circumstances): Change {
  assertAllowed(command.type, given.role, t.status)
  const change = changeFor(t, command, given)
  assert(
    effectOn(account.hold(t.id), change.journal) === change.holdDeltaMinor,
    `deal ${t.id}: the hold's balance and its postings part at ${command.type}`,
  )
  assert(t.holdMinor + change.holdDeltaMinor >= 0n, `deal ${t.id}: the hold would go below zero at ${command.type}`)
  return change
}

function changeFor(t: Deal, command: Command, given: Circumstances): Change {
  switch (command.type) {
    case 'recordFunds':
      return recordFunds(t, command, given)
    case 'cancel':
    case 'endPaymentWindow':
      return cancelUnpaid(t, command.type)
    case 'startHandover':
      return startHandover(t, given)
    case 'saveTracking':
      return saveTracking(t, command, given)
    case 'endShipBy':
    case 'refund':
      return refundWhole(t, command)
    case 'endReceiveBy':
      return freeze(t, null, command.type, given)
    case 'recordDelivery':
      return startInspection(t, command.type, given, t.inspectionDays || AS_IS_CARRIER_INSPECTION_DAYS)
    case 'confirmDelivery':
      return t.inspectionDays === 0
        ? complete(t, command.type, [{ kind: 'confirmDelivery', status: 'delivered' }])
        : startInspection(t, command.type, given, t.inspectionDays)
    case 'accept':
    case 'endInspection':
      return complete(t, command.type, [])
    case 'freeze':
      return freeze(t, command.disputeId, command.type, given)
    case 'resume':
      return resume(t, command.disputeId, given)
  }
}

function recordFunds(t: Deal, command: Command & { type: 'recordFunds' }, given: Circumstances): Change {
  const total = buyerTotalMinor(t)
  if (command.amountMinor !== total || command.currency !== t.currency)
    throw new DomainError('CONFLICT', { paymentId: command.paymentId, expected: formatAmount(total, t.currency) })
  return {
    ...moved(t, command.type, startClock('ship_by', SHIP_BY_DAYS, given), [{ kind: 'recordFunds', status: 'paid' }]),
    holdDeltaMinor: total,
    journal: [charge(t.id, total)],
    settles: { paymentId: command.paymentId, stray: false },
    acceptance: { party: 'buyer', by: 'paying' },
    events: [{ name: 'transactionPaid', status: 'paid', more: { total: formatAmount(total, t.currency) } }],
  }
}

function cancelUnpaid(t: Deal, cause: 'cancel' | 'endPaymentWindow'): Change {
  assert(t.holdMinor === 0n, `deal ${t.id} is pending and holds money`)
  return {
    ...moved(t, cause, null, [{ kind: cause, status: 'cancelled' }]),
    events: [{ name: 'transactionCancelled', status: 'cancelled', more: { wasFunded: false, cause } }],
  }
}

function startHandover(t: Deal, given: Circumstances): Change {
  const clock = startClock('receive_by', RECEIVE_BY_DAYS_AFTER_HANDOVER, given)
  return {
    ...moved(t, 'startHandover', clock, [{ kind: 'startHandover', status: 'in_progress' }]),
    acceptance: { party: 'seller', by: 'shipping' },
    events: [{ name: 'transactionHandoverStarted', status: 'in_progress' }],
  }
}

function saveTracking(t: Deal, command: Command & { type: 'saveTracking' }, given: Circumstances): Change {
  const shipment = { trackingNumber: command.trackingNumber, carrier: command.carrier }
  const events: DealEvent[] = [{ name: 'transactionShipped', status: 'shipped', more: shipment }]
  // A corrected number is no new shipment: the clock that runs keeps running.
  if (t.status === 'shipped')
    return { ...stayed(t, [{ kind: 'correctTracking', status: 'shipped' }]), shipment, events }
  const clock = startClock('receive_by', RECEIVE_BY_DAYS_AFTER_SHIPPING, given)
  return {
    ...moved(t, 'saveTracking', clock, [{ kind: 'saveTracking', status: 'shipped' }]),
    shipment,
    acceptance: { party: 'seller', by: 'shipping' },
    events,
  }
}

function startInspection(
  t: Deal,
  cause: 'recordDelivery' | 'confirmDelivery',
  given: Circumstances,
  days: number,
): Change {
  const clock = startClock('inspection', days, given)
  const inspectionEndsAt = clock.dueAt.toISOString()
  return {
    ...moved(t, cause, clock, [
      { kind: cause, status: 'delivered' },
      { kind: 'inspect', status: 'inspection' },
    ]),
    events: [
      { name: 'transactionDelivered', status: 'delivered' },
      { name: 'transactionInspectionStarted', status: 'inspection', more: { inspectionEndsAt } },
    ],
  }
}

/** The hold is settled to the seller: the only way in which money ever leaves to them. */
function complete(
  t: Deal,
  cause: 'accept' | 'endInspection' | 'confirmDelivery',
  before: readonly TimelineFact[],
): Change {
  const total = buyerTotalMinor(t)
  assert(t.holdMinor === total, `deal ${t.id} releases ${total} and holds ${t.holdMinor}`)
  const sellerNet = formatAmount(sellerNetMinor(t), t.currency)
  const delivered: DealEvent[] = before.map(fact => ({ name: 'transactionDelivered', status: fact.status }))
  return {
    ...moved(t, cause, null, [
      ...before,
      { kind: cause === 'confirmDelivery' ? 'release' : cause, status: 'released' },
      { kind: 'complete', status: 'completed' },
    ]),
    holdDeltaMinor: -total,
    journal: [release(t.id, t.sellerId, sellerNetMinor(t), t.buyerFeeMinor + t.sellerFeeMinor)],
    events: [...delivered, { name: 'transactionCompleted', status: 'completed', more: { sellerNet } }],
  }
}

function refundWhole(t: Deal, command: Command & { type: 'refund' | 'endShipBy' }): Change {
  const amountMinor = t.holdMinor
  // Paid between the caller's look for a payment and this one: who asks again finds it.
  if (command.paymentId === null) throw new DomainError('CONFLICT')
  assert(amountMinor === buyerTotalMinor(t), `deal ${t.id} refunds what it does not hold`)
  const cause = command.type
  return {
    ...moved(t, cause, null, [{ kind: cause, status: 'cancelled' }]),
    holdDeltaMinor: -amountMinor,
    journal: [refund(t.id, amountMinor)],
    refund: { id: command.refundId, paymentId: command.paymentId, amountMinor },
    events: [
      {
        name: 'transactionRefunded',
        status: 'cancelled',
        more: { refund: formatAmount(amountMinor, t.currency), cause },
      },
      { name: 'transactionCancelled', status: 'cancelled', more: { wasFunded: true, cause } },
    ],
  }
}

function freeze(t: Deal, disputeId: number | null, cause: 'freeze' | 'endReceiveBy', given: Circumstances): Change {
  const remainingMs = t.clock ? Math.max(0, t.clock.dueAt.getTime() - given.now.getTime()) : 0
  return {
    ...moved(t, cause, null, [{ kind: cause, status: 'disputed' }]),
    frozen: {
      status: t.status,
      clock: t.clock?.kind ?? null,
      remainingMs,
      minimumGiven: t.frozen?.minimumGiven ?? false,
      disputeId,
    },
    clockEntries: t.clock ? [{ clock: t.clock.kind, change: 'paused', cause, dueAt: null }] : [],
    events: [
      {
        name: 'transactionDisputed',
        status: 'disputed',
        more: { disputeId, cause: cause === 'freeze' ? 'filed' : 'receive_by' },
      },
    ],
  }
}

function resume(t: Deal, disputeId: number, given: Circumstances): Change {
  const frozen = t.frozen
  assert(frozen, `deal ${t.id} is disputed without the state it came from`)
  if (frozen.disputeId !== null && frozen.disputeId !== disputeId)
    throw new DomainError('CONFLICT', { disputeId: frozen.disputeId })
  const minimumMs = daysMs(MIN_RESUMED_CLOCK_DAYS, given)
  const givesMinimum = !frozen.minimumGiven && frozen.remainingMs < minimumMs
  const leftMs = givesMinimum ? minimumMs : frozen.remainingMs
  const clock = frozen.clock && { kind: frozen.clock, dueAt: new Date(given.now.getTime() + leftMs) }
  return {
    ...moved(t, 'resume', null, [{ kind: 'resume', status: frozen.status }]),
    clock,
    frozen: { ...frozen, minimumGiven: frozen.minimumGiven || givesMinimum },
    clockEntries: clock ? [{ clock: clock.kind, change: 'resumed', cause: 'resume', dueAt: clock.dueAt }] : [],
    events: [{ name: 'transactionResumed', status: frozen.status, more: { clock: frozen.clock } }],
  }
}

/**
 * Money that arrived for a deal that takes none (any more): paid already, cancelled, or not the amount that was asked.
 * It is kept apart and goes back whole; the deal stays as it is.
 */
export function strayFunds(
  t: Deal,
  arrived: { readonly paymentId: string; readonly refundId: string; readonly amountMinor: bigint },
): Change {
  const { paymentId, refundId, amountMinor } = arrived
  return {
    ...stayed(t, [{ kind: 'strayPayment', status: t.status }]),
    journal: [strayPayment(paymentId, amountMinor)],
    settles: { paymentId, stray: true },
    refund: { id: refundId, paymentId, amountMinor },
  }
}

/** The provider declined: the deal waits on, and the buyer may try again. */
export function paymentFailed(t: Deal): Change {
  return {
    ...stayed(t, [{ kind: 'paymentFailed', status: t.status }]),
    events: [{ name: 'transactionPaymentFailed', status: t.status }],
  }
}

/** A move to another status, told by its facts: the old clock stops, the new one, if any, starts. */
function moved(
  t: Deal,
  cause: CommandType,
  clock: RunningClock | null,
  timeline: readonly [...TimelineFact[], TimelineFact],
): Change {
  const clockEntries: ClockEntry[] = []
  if (t.clock) clockEntries.push({ clock: t.clock.kind, change: 'stopped', cause, dueAt: null })
  if (clock) clockEntries.push({ clock: clock.kind, change: 'started', cause, dueAt: clock.dueAt })
  const status = timeline[timeline.length - 1]!.status
  return { status, timeline, clock, clockEntries, holdDeltaMinor: 0n, journal: [], events: [], frozen: null }
}

/** A change that leaves the deal where it is, and its clock running. */
function stayed(t: Deal, timeline: readonly TimelineFact[]): Change {
  const { status, clock, frozen } = t
  return { status, timeline, clock, clockEntries: [], holdDeltaMinor: 0n, journal: [], events: [], frozen }
}
