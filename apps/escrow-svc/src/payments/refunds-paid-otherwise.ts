import { formatAmount } from '@holdfast/kernel/money'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { EntityManager } from 'typeorm'
import { givenBackBesides } from '../deals/deal-reads.js'
import { account, refundPaidOtherwise, refundSentAnyway } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { PaymentEntity, RefundEntity } from './payment.entity.js'

const log = loggerOf('refunds')

// What the buyer has got otherwise: lost chargebacks, and refunds made by hand that are confirmed. With them the refunds of a payment,
// this one included, must not be more than the payment. A chargeback in another currency is not booked: an operator decides about it.
const EXCESS = `SELECT least(r.amount_minor + ${givenBackBesides('r.id')} - p.amount_minor, other.paid) AS excess
  FROM refund r JOIN payment p ON p.id = r.payment_id
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(amount_minor), 0) AS paid FROM (
      SELECT amount_minor FROM chargeback WHERE payment_id = p.id AND status = 'lost' AND withdrawn
      UNION ALL
      SELECT amount_minor FROM refund WHERE payment_id = p.id AND id <> r.id AND origin <> 'us' AND status = 'confirmed'
    ) each) other
 WHERE r.id = $1`

/** The part of an unpaid refund that is still owed, because the buyer has not got it in another way. */
export async function owedOf(manager: EntityManager, { id, amountMinor }: RefundEntity): Promise<bigint> {
  const [row]: { excess: string }[] = await manager.query(EXCESS, [id])
  const excessMinor = BigInt(row?.excess ?? 0)
  if (excessMinor <= 0n) return amountMinor
  return excessMinor < amountMinor ? amountMinor - excessMinor : 0n
}

/**
 * Locks the deal of a refund before it is reduced. Two refunds of a payment are not reduced by the same amount at the same time then.
 *
 * @param manager the dbTx in which the refund is locked afterwards. `DealsRepository` locks in the same order
 */
export async function lockDealOf(manager: EntityManager, refundId: string): Promise<void> {
  const deal = '(SELECT transaction_id FROM refund WHERE id = $1)'
  await manager.query(`SELECT FROM transaction WHERE id = ${deal} FOR NO KEY UPDATE`, [refundId])
}

/**
 * Takes what the buyer has got otherwise, by lost chargebacks and by refunds made by hand, off a refund that has not been paid, so
 * that the buyer is not paid twice. When nothing is left, the refund is void. Such a payment was booked as our cost; what is
 * taken off the refund goes back there. A repetition changes nothing.
 *
 * @param manager the dbTx in which the deal's row and the refund's row are locked
 * @param refund a refund with the status `due` or `failed`
 * @returns the refund with the amount that is left; null when nothing is left
 */
export async function deductPaidOtherwise(
  manager: EntityManager,
  refund: RefundEntity,
  now: Date,
): Promise<RefundEntity | null> {
  const { id, transactionId, amountMinor, currency } = refund
  const leftMinor = await owedOf(manager, refund)
  if (leftMinor === amountMinor) return refund
  // The provider refuses another amount under the key of an earlier attempt.
  const left = { amountMinor: leftMinor, sendAttempt: refund.sendAttempt + 1 }
  const change = leftMinor > 0n ? left : { status: 'void' as const, dueAt: null }
  await manager.update(RefundEntity, { id }, { ...change, updatedAt: now })
  const entry = refundPaidOtherwise(await owedOn(manager, refund), amountMinor - leftMinor)
  await postEntry(manager, transactionId, currency, entry, now)
  // A message that the other payment has failed may have been read before. It is decided on again, because what was taken is owed then.
  await manager.query('UPDATE transaction SET version = version + 1 WHERE id = $1', [transactionId])
  log.warn(
    { refundId: id, transactionId, left: formatAmount(leftMinor, currency) },
    'the buyer has got in another way what was to be refunded',
  )
  return leftMinor > 0n ? { ...refund, ...left } : null
}

/**
 * A refund has reached the provider with an amount that was taken off it because the buyer had got that otherwise. The buyer is paid
 * it twice, which is our cost until an operator settles it.
 */
export async function oweAgain(
  manager: EntityManager,
  refund: RefundEntity,
  amountMinor: bigint,
  now: Date,
): Promise<void> {
  const { id, transactionId, currency } = refund
  if (amountMinor < 0n) throw new Error(`the provider has sent less than is owed of refund ${id}`)
  if (amountMinor === 0n) return
  log.error({ refundId: id, transactionId }, 'a refund was sent although the buyer had got the money in another way')
  await postEntry(manager, transactionId, currency, refundSentAnyway(await owedOn(manager, refund), amountMinor), now)
}

/** The account on which a refund is owed. */
async function owedOn(manager: EntityManager, { paymentId, transactionId, origin }: RefundEntity) {
  const { stray } = await manager.findOneByOrFail(PaymentEntity, { id: paymentId })
  return stray && origin === 'us' ? account.unapplied(paymentId) : account.refundDue(transactionId)
}
