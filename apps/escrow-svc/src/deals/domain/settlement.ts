/** The end of a dispute with money, as a change of its deal. */
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import { heldPriceMinor, splitHold } from '@holdfast/kernel/settlement'
import { settlement } from '../../ledger/domain/journal.js'
import type { Circumstances, Deal, Frozen, SettleCommand } from './deal.js'
import { type Draft, frozenOf, withStatus } from './draft.js'

/**
 * Ends a dispute: the hold is split, and the deal is completed, or cancelled when the buyer gets everything back.
 *
 * @throws DomainError `CONFLICT` when another dispute stops the deal; `AMOUNT_INVALID` when the refund exceeds the held price, or the held
 * price has changed since the decision
 */
export function settle(deal: Deal, command: SettleCommand, given: Circumstances): Draft {
  const { disputeId, cause } = command
  const frozen = frozenOf(deal)
  if (!isStoppedBy(frozen, command)) throw new DomainError('CONFLICT', { disputeId: frozen.disputeId })
  const heldMinor = heldPriceMinor(deal)
  if (command.heldMinor !== null && command.heldMinor !== heldMinor)
    throw new DomainError('AMOUNT_INVALID', {
      fields: { refundAmount: `${formatAmount(heldMinor, deal.currency)} ${deal.currency} is held now` },
    })
  const { settledPaymentId: paymentId } = deal
  assert(paymentId !== null, `deal ${deal.id} is disputed without a payment`)
  const { refundMinor, sellerNetMinor, feesMinor } = splitHold(deal, command.refundMinor)
  const refunded = {
    refund: { id: given.refundId, paymentId, amountMinor: refundMinor },
    facts: { refund: formatAmount(refundMinor, deal.currency), cause, forced: null },
  }
  if (refundMinor === deal.holdMinor)
    return {
      ...withStatus(deal, 'settleDispute', null, [{ kind: cause, status: 'cancelled' }]),
      endedDispute: disputeId,
      journal: [settlement(deal, { refundMinor, sellerNetMinor, feesMinor })],
      refund: refunded.refund,
      events: [
        { name: 'transactionRefunded', status: 'cancelled', facts: refunded.facts },
        { name: 'transactionCancelled', status: 'cancelled', facts: { wasFunded: true, cause } },
      ],
    }
  const isSplit = refundMinor > 0n
  return {
    ...withStatus(deal, 'settleDispute', null, [
      { kind: cause, status: 'released' },
      { kind: 'complete', status: 'completed' },
    ]),
    endedDispute: disputeId,
    journal: [settlement(deal, { refundMinor, sellerNetMinor, feesMinor })],
    ...(isSplit && { refund: refunded.refund }),
    events: [
      ...(isSplit ? [{ name: 'transactionRefunded', status: 'completed', facts: refunded.facts } as const] : []),
      {
        name: 'transactionCompleted',
        status: 'completed',
        facts: { sellerNet: formatAmount(sellerNetMinor, deal.currency), isMutual: deal.sellerAccepted },
      },
    ],
  }
}

/**
 * escrow-svc does not know the id of a dispute that the system filed. It recognises it by the version since which the deal is stopped.
 * A dispute that an older release opened does not have that version.
 */
const isStoppedBy = (frozen: Frozen, { disputeId, stoppedAtVersion }: SettleCommand): boolean => {
  if (frozen.disputeId !== null) return frozen.disputeId === disputeId
  return stoppedAtVersion === null || frozen.version === stoppedAtVersion
}
