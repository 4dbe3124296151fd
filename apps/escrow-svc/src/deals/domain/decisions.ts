/**
 * The rules of the escrow, as pure functions: `(deal, command, circumstances) → change`. They read no time and make no id,
 * so the same input always gives the same change.
 */
import { assert } from '@holdfast/kernel/assert'
import { onlyChanged } from '@holdfast/kernel/changes'
import {
  AS_IS_CARRIER_INSPECTION_DAYS,
  RECEIVE_BY_DAYS_AFTER_HANDOVER,
  RECEIVE_BY_DAYS_AFTER_SHIPPING,
  SHIP_BY_DAYS,
} from '@holdfast/kernel/clocks'
import { type DealStatus, DISPUTE_END_CAUSES, MAX_CHANGES_BEFORE_CORRECTION, whereItemIs } from '@holdfast/kernel/deals'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { buyerFeesOf } from '@holdfast/kernel/fees'
import { formatAmount } from '@holdfast/kernel/money'
import { charge, refund, release } from '../../ledger/domain/journal.js'
import { returnFunds, secureFunds } from './bank-transfers.js'
import { recordChargeback } from './chargebacks.js'
import { inDisputeOf, startClock } from './clocks.js'
import {
  buyerTotalMinor,
  type Change,
  type Circumstances,
  type Command,
  type Deal,
  type DealEvent,
  type ShipmentInput,
  sellerNetMinor,
  stateOf,
  type TimelineFact,
} from './deal.js'
import {
  type Draft,
  disputedEvent,
  frozenOf,
  resumed,
  stopped,
  withEffect,
  withSameStatus,
  withStatus,
} from './draft.js'
import { recordProviderRefund } from './provider-refunds.js'
import { settle } from './settlement.js'
import { assertAllowed, type CommandType, needsSellerAccepted, type State } from './transitions.js'

/**
 * Decides what a command changes on a deal.
 *
 * @throws DomainError `FORBIDDEN`, `ESCROW_WRONG_STATE` or `ESCROW_STOPPED_BY_PROVIDER` when the transition table has no such
 * step; `SELLER_NOT_ACCEPTED` for what needs a seller who has accepted the deal; `CONFLICT` when the command does not fit the deal
 * (an amount that differs from the quote, another dispute than the one that froze it); `DISPUTE_ENDED` when a dispute that has ended
 * would freeze the deal; `VALIDATION_FAILED` for a tracking number that was corrected too often
 */
export function decide(deal: Deal, command: Command, given: Circumstances): Change {
  const state = stateOf(deal)
  assertAllowed(command.type, given.role, state)
  if (needsSellerAccepted(command.type) || isDisputeOfBuyer(command)) assertAccepted(deal)
  const draft = draftFor(deal, command, given)
  return withEffect(
    deal,
    endsSystemDispute(state, command.type) ? withSystemDisputeEnded(deal, command.type, draft) : draft,
  )
}

/** Until the seller has accepted, the buyer files no dispute: the seller has agreed to nothing, and the ship-by date gives the money back. */
const isDisputeOfBuyer = (command: Command) => command.type === 'freeze' && command.reporter === 'buyer'

function assertAccepted({ sellerAccepted }: Deal): void {
  if (!sellerAccepted) throw new DomainError('SELLER_NOT_ACCEPTED')
}

function draftFor(deal: Deal, command: Command, given: Circumstances): Draft {
  switch (command.type) {
    case 'secureFunds':
      return secureFunds(deal, command)
    case 'returnFunds':
      return returnFunds(deal, command, given)
    case 'recordFunds':
      return recordFunds(deal, command, given)
    case 'cancel':
    case 'endPaymentWindow':
      return cancelUnpaid(deal, command.type)
    case 'startHandover':
      return startHandover(deal, given)
    case 'saveTracking':
      return saveTracking(deal, command, given)
    case 'endShipBy':
    case 'refund':
      return refundInFull(deal, command.type, given)
    case 'forceRefund':
      return refundInFull(deal, command.type, given, command.reason)
    case 'endReceiveBy':
      return freezeOverdue(deal, given)
    case 'recordDelivery':
      return startInspection(deal, command.type, given, deal.inspectionDays || AS_IS_CARRIER_INSPECTION_DAYS)
    case 'confirmDelivery':
      return deal.inspectionDays === 0
        ? complete(deal, command.type, [{ kind: 'confirmDelivery', status: 'delivered' }])
        : startInspection(deal, command.type, given, deal.inspectionDays)
    case 'accept':
    case 'endInspection':
      return complete(deal, command.type, [])
    case 'freeze':
      return freeze(deal, command, given)
    case 'resume':
      return resume(deal, command.disputeId, given)
    case 'settleDispute':
      return settle(deal, command, given)
    case 'openChargeback':
    case 'winChargeback':
    case 'loseChargeback':
      return recordChargeback(deal, command, given)
    case 'recordRefund':
      return recordProviderRefund(deal, command, given)
  }
}

function recordFunds(deal: Deal, command: Command & { type: 'recordFunds' }, given: Circumstances): Draft {
  const buyerFees = buyerFeesOf(deal, command.method)
  const total = deal.priceMinor + buyerFees.buyerFeeMinor
  if (command.amountMinor !== total || command.currency !== deal.currency)
    throw new DomainError('CONFLICT', { paymentId: command.paymentId, expected: formatAmount(total, deal.currency) })
  const shipBy = startClock('ship_by', SHIP_BY_DAYS, given)
  return {
    ...withStatus(deal, command.type, shipBy, [{ kind: 'recordFunds', status: 'paid' }]),
    journal: [charge(deal.id, total, command.method)],
    settles: { paymentId: command.paymentId, stray: false },
    buyerFees,
    acceptance: { party: 'buyer', by: 'paying' },
    events: [
      {
        name: 'transactionPaid',
        status: 'paid',
        facts: { total: formatAmount(total, deal.currency), sellerAccepted: deal.sellerAccepted },
      },
    ],
  }
}

function cancelUnpaid(deal: Deal, cause: 'cancel' | 'endPaymentWindow'): Draft {
  assert(deal.holdMinor === 0n, `deal ${deal.id} is pending and holds money`)
  return {
    ...withStatus(deal, cause, null, [{ kind: cause, status: 'cancelled' }]),
    events: [{ name: 'transactionCancelled', status: 'cancelled', facts: { wasFunded: false, cause } }],
  }
}

function startHandover(deal: Deal, given: Circumstances): Draft {
  const clock = startClock('receive_by', RECEIVE_BY_DAYS_AFTER_HANDOVER, given)
  return {
    ...withStatus(deal, 'startHandover', clock, [{ kind: 'startHandover', status: 'in_progress' }]),
    acceptance: { party: 'seller', by: 'shipping' },
    events: [{ name: 'transactionHandoverStarted', status: 'in_progress' }],
  }
}

function shipmentAfter({ trackingNumber, carrier }: Deal, input: ShipmentInput) {
  const given = { trackingNumber: input.trackingNumber, carrier: input.carrier }
  return trackingNumber === null ? given : { trackingNumber, carrier, ...onlyChanged(given, input.changed) }
}

function saveTracking(deal: Deal, command: Command & { type: 'saveTracking' }, given: Circumstances): Draft {
  // A corrected number is not a new shipment, so the running clock stays.
  const isCorrection = deal.status === 'shipped'
  const shipment = shipmentAfter(deal, command)
  if (isCorrection && deal.version > MAX_CHANGES_BEFORE_CORRECTION) throw invalidFields({ trackingNumber: TOO_OFTEN })
  const events: DealEvent[] = [{ name: 'transactionShipped', status: 'shipped', facts: { ...shipment, isCorrection } }]
  if (isCorrection)
    return { ...withSameStatus(deal, [{ kind: 'correctTracking', status: 'shipped' }]), shipment, events }
  const clock = startClock('receive_by', RECEIVE_BY_DAYS_AFTER_SHIPPING, given)
  return {
    ...withStatus(deal, 'saveTracking', clock, [{ kind: 'saveTracking', status: 'shipped' }]),
    shipment,
    acceptance: { party: 'seller', by: 'shipping' },
    events,
  }
}

const TOO_OFTEN = 'It was corrected too often. Please write to the other party.'

function startInspection(
  deal: Deal,
  cause: 'recordDelivery' | 'confirmDelivery',
  given: Circumstances,
  days: number,
): Draft {
  const clock = startClock('inspection', days, given)
  const inspectionEndsAt = clock.dueAt.toISOString()
  return {
    ...withStatus(deal, cause, clock, [
      { kind: cause, status: 'delivered' },
      { kind: 'inspect', status: 'inspection' },
    ]),
    events: [
      { name: 'transactionDelivered', status: 'delivered' },
      { name: 'transactionInspectionStarted', status: 'inspection', facts: { inspectionEndsAt } },
    ],
  }
}

/** Releases the hold to the seller. Only the end of a dispute moves money to a seller in another way (`settlement.ts`). */
function complete(
  deal: Deal,
  cause: 'accept' | 'endInspection' | 'confirmDelivery',
  before: readonly TimelineFact[],
): Draft {
  const total = buyerTotalMinor(deal)
  assert(deal.holdMinor === total, `deal ${deal.id} releases ${total} and holds ${deal.holdMinor}`)
  const netMinor = sellerNetMinor(deal)
  const delivered: DealEvent[] = before.map(fact => ({ name: 'transactionDelivered', status: fact.status }))
  return {
    ...withStatus(deal, cause, null, [
      ...before,
      { kind: cause === 'confirmDelivery' ? 'release' : cause, status: 'released' },
      { kind: 'complete', status: 'completed' },
    ]),
    journal: [release(deal.id, deal.sellerId, netMinor, deal.buyerFeeMinor + deal.sellerFeeMinor)],
    events: [
      ...delivered,
      {
        name: 'transactionCompleted',
        status: 'completed',
        facts: { sellerNet: formatAmount(netMinor, deal.currency), isMutual: deal.sellerAccepted },
      },
    ],
  }
}

/** Refunds everything that is still held. `reason` is what Holdfast says to the parties about a refund of its own. */
function refundInFull(
  deal: Deal,
  cause: 'refund' | 'forceRefund' | 'endShipBy',
  given: Circumstances,
  reason: string | null = null,
): Draft {
  const { settledPaymentId: paymentId, holdMinor: amountMinor } = deal
  assert(paymentId !== null, `deal ${deal.id} is funded without a payment`)
  // A part may have left before: by a refund at the provider, or to the buyer's bank.
  const gone = deal.refundedMinor + deal.chargedBackMinor
  assert(
    amountMinor > 0n && amountMinor + gone === buyerTotalMinor(deal),
    `deal ${deal.id} of ${buyerTotalMinor(deal)} holds ${amountMinor}, and ${gone} is gone`,
  )
  return {
    ...withStatus(deal, cause, null, [{ kind: cause, status: 'cancelled', reason }]),
    // A call that freezes the deal for the dispute that this ends comes too late.
    ...(deal.status === 'disputed' && deal.frozen?.disputeId && { endedDispute: deal.frozen.disputeId }),
    journal: [refund(deal.id, amountMinor)],
    refund: { id: given.refundId, paymentId, amountMinor },
    events: [
      {
        name: 'transactionRefunded',
        status: 'cancelled',
        facts: {
          refund: formatAmount(amountMinor, deal.currency),
          cause,
          forced: cause === 'forceRefund' ? { reason, item: whereItemIs([statusBeforeDispute(deal)]) } : null,
        },
      },
      { name: 'transactionCancelled', status: 'cancelled', facts: { wasFunded: true, cause } },
    ],
  }
}

const statusBeforeDispute = ({ status, frozen }: Deal): DealStatus =>
  status === 'disputed' && frozen ? frozen.status : status

/** A dispute of a party stops the deal, and its clock as far as it is the other party's time. */
function freeze(
  deal: Deal,
  { type, disputeId, reporter }: Extract<Command, { type: 'freeze' }>,
  given: Circumstances,
): Draft {
  if (deal.endedDisputes.includes(disputeId)) throw new DomainError('DISPUTE_ENDED')
  const { frozen, clockEntries } = stopped(deal, type, given.now)
  const inDispute = inDisputeOf(reporter, deal)
  const draft = {
    ...withStatus(deal, type, null, [{ kind: type, status: 'disputed' }]),
    frozen: { ...frozen, disputeId },
    clockEntries,
    events: [disputedEvent(deal, disputeId, 'filed')],
  } satisfies Draft
  if (!deal.clock || inDispute === 'stops') return draft
  if (inDispute === 'goes on')
    return { ...draft, clock: deal.clock, clockEntries: [], frozen: { ...draft.frozen, clockGoesOn: true } }
  return { ...draft, frozen: { ...draft.frozen, endsAt: deal.clock.dueAt.toISOString() } }
}

/** The system's dispute about an item that did not arrive in time. */
function freezeOverdue(deal: Deal, given: Circumstances): Draft {
  const { frozen, clockEntries } = stopped(deal, 'endReceiveBy', given.now)
  return {
    ...withStatus(deal, 'endReceiveBy', null, [{ kind: 'endReceiveBy', status: 'disputed' }]),
    frozen: { ...frozen, disputeId: null, overdue: true },
    clockEntries,
    events: [disputedEvent(deal, null, 'receive_by')],
  }
}

function resume(deal: Deal, disputeId: number, given: Circumstances): Draft {
  const frozen = frozenOf(deal)
  if (frozen.disputeId !== disputeId) throw new DomainError('CONFLICT', { disputeId: frozen.disputeId })
  return {
    ...withStatus(deal, 'resume', null, [{ kind: 'resume', status: frozen.status }]),
    ...resumed(deal, frozen, 'resume', given),
    endedDispute: disputeId,
    events: [{ name: 'transactionResumed', status: frozen.status, facts: { clock: frozen.clock } }],
  }
}

/**
 * Ends a dispute that has not frozen the deal. The deal stays as it is, and a call that freezes it for this dispute is
 * refused if it still arrives.
 */
export function endDispute(deal: Deal, disputeId: number): Change {
  return withEffect(deal, { ...withSameStatus(deal, []), endedDispute: disputeId })
}

/**
 * Extends the clock by the time in which no replica could act, so that no party loses time by our fault.
 *
 * @param outageEndedAt a clock whose last entry is earlier is extended again
 */
export function extendClock(deal: Deal, byMs: number, outageEndedAt: Date): Change {
  assert(deal.clock, `deal ${deal.id} has no clock to extend`)
  const clock = { kind: deal.clock.kind, dueAt: new Date(deal.clock.dueAt.getTime() + byMs) }
  return withEffect(deal, {
    ...withSameStatus(deal, [{ kind: 'outage', status: deal.status }]),
    clock,
    clockEntries: [{ clock: clock.kind, change: 'extended', cause: 'outage', dueAt: clock.dueAt }],
    notBefore: outageEndedAt,
  })
}

/** Whether a command ends the dispute that the system filed because the item did not arrive. */
const endsSystemDispute = (state: State, command: CommandType) =>
  state === 'overdue' && DISPUTE_END_CAUSES.some(cause => cause === command)

/** Adds to the change of an overdue deal that it ends the system's dispute. */
function withSystemDisputeEnded(deal: Deal, command: CommandType, draft: Draft): Draft {
  const cause = DISPUTE_END_CAUSES.find(each => each === command)
  assert(deal.frozen && cause, `deal ${deal.id} is overdue and gets ${command}`)
  const { status } = deal.frozen
  return {
    ...draft,
    timeline: [{ kind: 'endDispute', status }, ...draft.timeline],
    events: [{ name: 'transactionDisputeEnded', status, facts: { cause } }, ...draft.events],
  }
}
