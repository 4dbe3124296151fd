/**
 * What a refund that an operator made at the provider by hand does to a deal. The money has left, so the deal can no longer pay
 * what was agreed. It is stopped; when nothing is left, it ends.
 */
import { atLeastZero, formatAmount } from '@holdfast/kernel/money'
import type { RefundOrigin } from '@holdfast/kernel/payments'
import {
  account,
  type JournalEntry,
  providerRefund,
  providerRefundFailed,
  refundConfirmed,
  refundPaidOtherwise,
  refundReturned,
  refundSentAnyway,
} from '../../ledger/domain/journal.js'
import {
  buyerTotalMinor,
  type Change,
  type Circumstances,
  type Deal,
  type DealEvent,
  type GivenBack,
  type ProviderRefund,
  type RefundCommand,
} from './deal.js'
import {
  type Draft,
  disputedEvent,
  frozenOf,
  goesOn,
  resumed,
  stopped,
  withEffect,
  withSameStatus,
  withStatus,
} from './draft.js'

/** The change of a deal that holds the payment, after a message about a refund made by hand. */
export function recordProviderRefund(deal: Deal, command: RefundCommand, given: Circumstances): Draft {
  const { refund, before } = command
  if (!before) return refund.status === 'failed' ? voided(deal, command) : first(deal, command, given)
  return refund.status === 'failed' ? undo(deal, command, given) : confirm(deal, command)
}

/**
 * The change after a message about a refund made by hand when the deal no longer holds the payment. The money is booked, and
 * the status of the deal stays.
 */
export function bookProviderRefund(deal: Deal, command: RefundCommand, besides: GivenBack): Change {
  const { refund, before } = command
  if (!before) return withEffect(deal, refund.status === 'failed' ? voided(deal, command) : late(deal, command))
  if (refund.status !== 'failed') return withEffect(deal, confirm(deal, command))
  return withEffect(deal, failedAfterEnd(deal, command, before.origin, besides))
}

/**
 * A refund of a deal that has ended failed. The buyer is owed one that had ended the deal. A later one was our cost, and nobody is owed it,
 * but what was taken off our own refund because of it is owed again. With all else that the buyer gets it is never more than the payment.
 */
function failedAfterEnd(deal: Deal, command: RefundCommand, origin: RefundOrigin, besides: GivenBack): Draft {
  const { refund } = command
  const { amountMinor } = refund
  const { leftMinor, takenMinor, owedOn } = besides
  const isLate = origin === 'provider_late'
  const owedMinor = atLeastZero(lesser(amountMinor, isLate ? lesser(takenMinor, leftMinor) : leftMinor))
  const refundDue = account.refundDue(deal.id)
  const entries = isLate
    ? [
        providerRefundFailed(deal.id, [{ from: account.providerCosts, amountMinor }]),
        refundSentAnyway(owedOn, owedMinor),
        // It is owed on the deal's account, also when our own refund is that of a stray payment.
        ...(owedOn === refundDue ? [] : [providerRefund(deal.id, [{ from: owedOn, amountMinor: owedMinor }])]),
      ]
    : [refundPaidOtherwise(refundDue, amountMinor - owedMinor)]
  const journal = [...returned(deal, command), ...entries].filter(({ postings }) => postings.length > 0)
  const booked = {
    journal,
    providerRefund: {
      ...refund,
      ...(owedMinor > 0n ? { amountMinor: owedMinor } : { status: 'void' as const }),
      origin,
    },
  }
  // The parties are not notified of a stray payment: the deal never had it.
  if (owedMinor === 0n || owedOn !== refundDue) return { ...withSameStatus(deal, []), ...booked }
  return {
    ...withSameStatus(deal, [{ kind: 'refundFailed', status: deal.status }]),
    ...booked,
    events: [failedEvent(deal, owedMinor, deal.status)],
  }
}

/** The change when our own refund did not reach the buyer: the deal has ended, and we still owe this amount. */
export const refundFailed = (deal: Deal, owedMinor: bigint): Change =>
  withEffect(deal, {
    ...withSameStatus(deal, [{ kind: 'refundFailed', status: deal.status }]),
    events: [failedEvent(deal, owedMinor, deal.status)],
  })

/**
 * Stops a deal whose payment was refunded in another currency: a part of the payment is gone, and nothing can be booked.
 *
 * @returns null when the deal is already stopped because a part is gone
 */
export function stopForRefund(deal: Deal, now: Date): Change | null {
  if (deal.status !== 'disputed') return withEffect(deal, stopShort(deal, now))
  if (deal.frozen?.short) return null
  return withEffect(deal, { ...withSameStatus(deal, []), frozen: { ...frozenOf(deal), short: true } })
}

/** Stops a deal because a part of the payment is gone. */
function stopShort(deal: Deal, now: Date): Draft {
  const { frozen, clockEntries } = stopped(deal, 'recordRefund', now)
  return {
    ...withStatus(deal, 'recordRefund', null, [{ kind: 'providerRefundFreeze', status: 'disputed' }]),
    frozen: { ...frozen, disputeId: null, stoppedByProvider: true, short: true },
    clockEntries,
    events: [disputedEvent(deal, null, 'provider_refund')],
  }
}

/** The first message about a refund: the money leaves the hold. */
function first(deal: Deal, command: RefundCommand, given: Circumstances): Draft {
  const { type, refund } = command
  const fromHold = refund.amountMinor < deal.holdMinor ? refund.amountMinor : deal.holdMinor
  const booked = {
    journal: [
      providerRefund(deal.id, [
        { from: account.hold(deal.id), amountMinor: fromHold },
        { from: account.providerCosts, amountMinor: refund.amountMinor - fromHold },
      ]),
      ...confirmation(deal, command),
    ],
    providerRefund: { ...refund, origin: 'provider' as const },
  }
  const refundedEvent = (status: Deal['status']): DealEvent => ({
    name: 'transactionRefunded',
    status,
    facts: { refund: amountOf(deal, refund), cause: 'provider_refund', forced: null },
  })
  if (fromHold === deal.holdMinor)
    return {
      ...withStatus(deal, type, null, [{ kind: 'providerRefundInFull', status: 'cancelled' }]),
      ...booked,
      events: [
        refundedEvent('cancelled'),
        { name: 'transactionCancelled', status: 'cancelled', facts: { wasFunded: true, cause: 'provider_refund' } },
      ],
    }
  if (deal.status === 'disputed')
    return {
      ...withSameStatus(deal, [{ kind: 'providerRefundBooked', status: 'disputed' }]),
      ...booked,
      frozen: { ...frozenOf(deal), short: true },
      events: [refundedEvent('disputed')],
    }
  const stop = stopShort(deal, given.now)
  return { ...stop, ...booked, events: [refundedEvent('disputed'), ...stop.events] }
}

/** The refund failed: the buyer's bank sent the money back, and it is held again. */
function undo(deal: Deal, command: RefundCommand, given: Circumstances): Draft {
  const { type, refund } = command
  const booked = {
    journal: [
      ...returned(deal, command),
      providerRefundFailed(deal.id, [{ from: account.hold(deal.id), amountMinor: refund.amountMinor }]),
    ],
    providerRefund: { ...refund, status: 'void' as const, origin: 'provider' as const },
  }
  const { short: _, ...rest } = frozenOf(deal)
  const isWhole = deal.holdMinor + refund.amountMinor === buyerTotalMinor(deal)
  const frozen = isWhole ? rest : { ...rest, short: true as const }
  const timeline = (status: Deal['status']) => [{ kind: 'providerRefundFailed', status }] as const
  if (!goesOn(frozen))
    return {
      ...withSameStatus(deal, timeline('disputed')),
      ...booked,
      frozen,
      events: [failedEvent(deal, refund.amountMinor, 'disputed')],
    }
  return {
    ...withStatus(deal, type, null, timeline(frozen.status)),
    ...resumed(deal, frozen, type, given),
    ...booked,
    events: [failedEvent(deal, refund.amountMinor, frozen.status)],
  }
}

/** A refund of a payment that was released or refunded before. We bear it until an operator decides that the seller does. */
function late(deal: Deal, command: RefundCommand): Draft {
  const { refund } = command
  return {
    ...withSameStatus(deal, [{ kind: 'providerRefundBooked', status: deal.status }]),
    journal: [
      providerRefund(deal.id, [{ from: account.providerCosts, amountMinor: refund.amountMinor }]),
      ...confirmation(deal, command),
    ],
    providerRefund: { ...refund, origin: 'provider_late' },
  }
}

/** A refund whose first message says that it failed. It is stored, so that a late message about its creation changes nothing. */
const voided = (deal: Deal, { refund }: RefundCommand): Draft => ({
  ...withSameStatus(deal, []),
  providerRefund: { ...refund, status: 'void', origin: 'provider' },
})

const confirm = (deal: Deal, command: RefundCommand): Draft => ({
  ...withSameStatus(deal, []),
  journal: confirmation(deal, command),
  providerRefund: { ...command.refund, origin: command.before?.origin ?? 'provider' },
})

const confirmation = (deal: Deal, { refund, method }: RefundCommand): JournalEntry[] =>
  refund.status === 'confirmed' ? [refundConfirmed(deal.id, refund.amountMinor, method)] : []
const returned = (deal: Deal, { refund, before, method }: RefundCommand): JournalEntry[] =>
  before?.status === 'confirmed' ? [refundReturned(deal.id, refund.amountMinor, method)] : []

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const amountOf = ({ currency }: Deal, { amountMinor }: Pick<ProviderRefund, 'amountMinor'>) =>
  formatAmount(amountMinor, currency)
const failedEvent = (deal: Deal, amountMinor: bigint, status: Deal['status']): DealEvent => ({
  name: 'transactionRefundFailed',
  status,
  facts: { refund: formatAmount(amountMinor, deal.currency) },
})
