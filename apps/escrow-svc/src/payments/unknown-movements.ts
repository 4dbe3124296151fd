import { formatAmount, isCurrency } from '@holdfast/kernel/money'
import type pg from 'pg'
import type Stripe from 'stripe'
import { ACCOUNT_FEES } from './balance-changes.js'
import { idOf } from './provider-objects.js'

const PAGE = 100

/** A movement of our balance at the provider whose payment, refund, chargeback or payout our books do not have. */
export interface UnknownMovement {
  readonly at: Date
  readonly type: string
  readonly currency: string
  /** Signed, in minor units: money that leaves our balance is negative. The fee is deducted. */
  readonly netMinor: bigint
  readonly feeMinor: bigint
  /** The provider's ids and what else says what it was, for an operator. */
  readonly about: readonly string[]
}

/** Whether our books have the charge, refund, chargeback, transfer or payout that moved the money. */
const KNOWN = `SELECT
    EXISTS (SELECT FROM escrow.payment WHERE intent_id = $2 AND status = 'succeeded')
    OR EXISTS (SELECT FROM escrow.subscription_invoice WHERE intent_id = $2 AND paid_at IS NOT NULL)
    OR EXISTS (SELECT FROM escrow.refund WHERE provider_refund_id = $1)
    OR EXISTS (SELECT FROM escrow.chargeback WHERE id = $1)
    OR EXISTS (SELECT FROM escrow.payout WHERE transfer_id = $3 AND ($1 = $3 OR reversed_at IS NOT NULL))
    OR EXISTS (SELECT FROM escrow.provider_payout WHERE id = $1)
    OR EXISTS (SELECT FROM escrow.refund WHERE $1 = ANY (failed_provider_ids)) AS known,
  (SELECT user_id FROM escrow.payout_account WHERE provider_account_id = $4) AS seller`

/**
 * The movements of our balance at the provider since a time that our books do not have, the oldest first. Fees of our account are left out:
 * the service posts them when it reads the day.
 *
 * @param client the database's owner
 */
export async function unknownMovements(
  stripe: Stripe,
  client: pg.ClientBase,
  since: Date,
): Promise<readonly UnknownMovement[]> {
  const created = { gte: Math.floor(since.getTime() / 1000) }
  const found: UnknownMovement[] = []
  for await (const movement of stripe.balanceTransactions.list({ created, limit: PAGE, expand: ['data.source'] })) {
    if (ACCOUNT_FEES.has(movement.type)) continue
    const source = sourceOf(movement)
    const { rows } = await client.query<{ known: boolean; seller: string | null }>(KNOWN, [
      source.id,
      source.intentId,
      source.transferId,
      source.accountId,
    ])
    const { known, seller } = rows[0]!
    if (known) continue
    found.push({
      at: new Date(movement.created * 1000),
      type: movement.type,
      currency: movement.currency.toUpperCase(),
      netMinor: BigInt(movement.net),
      feeMinor: BigInt(movement.fee),
      about: [source.id, source.intentId, source.text, seller && `seller_payable:${seller}`].filter(
        each => each !== null,
      ),
    })
  }
  return found.reverse()
}

/** What moved the money: its ids, and a text about it. Each is null where there is none. */
function sourceOf({ source, description }: Stripe.BalanceTransaction) {
  const none = { id: idOf(source), intentId: null, transferId: null, accountId: null, text: description }
  if (source === null || typeof source === 'string') return none
  switch (source.object) {
    case 'charge':
      return { ...none, intentId: idOf(source.payment_intent) }
    case 'transfer':
      return { ...none, transferId: source.id, accountId: idOf(source.destination), text: source.transfer_group }
    case 'transfer_reversal':
      return { ...none, transferId: idOf(source.transfer) }
    default:
      return none
  }
}

/** A movement as an operator reads it. */
export function lineOf({ at, type, currency, netMinor, feeMinor, about }: UnknownMovement): string {
  const fee = feeMinor === 0n ? '' : `, fee ${written(feeMinor, currency)}`
  return `  ${at.toISOString()} ${type} ${written(netMinor + feeMinor, currency)}${fee}: ${about.join(', ')}`
}

/** What the movements have changed on our balance, fees deducted: a line for each currency. */
export function sumLines(movements: readonly UnknownMovement[]): string[] {
  const sums = new Map<string, bigint>()
  for (const { currency, netMinor } of movements) sums.set(currency, (sums.get(currency) ?? 0n) + netMinor)
  return [...sums].map(([currency, minor]) => `  together ${written(minor, currency)}`)
}

/** The provider may hold money in a currency that our ledger does not know. Its minor units are not known either. */
const written = (minor: bigint, currency: string): string =>
  isCurrency(currency) ? `${formatAmount(minor, currency)} ${currency}` : `${minor} minor units of ${currency}`
