import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { platformBalance, recordMovement } from '../payments/balance.js'
import type { Metadata } from '../payments/records.js'
import { accountBalance, getAccount } from './accounts.js'
import { checkPositive, insufficient } from './amounts.js'
import type { ReversalRecord, TransferRecord } from './records.js'
import { tellTransfer } from './tell.js'

/** What a caller wishes to transfer. */
export interface WantedTransfer {
  readonly amount: number
  readonly currency: string
  readonly destination: string
  readonly transferGroup: string | null
  readonly metadata: Metadata
}

/**
 * Moves money from the balance of Holdfast to a seller's account. Unlike the provider, the sandbox does not wait until a payment
 * has become available.
 *
 * @throws StripeError 400 when the balance is too low, or the account cannot get transfers
 */
export function createTransfer(context: Context, cause: Cause, wanted: WantedTransfer): TransferRecord {
  const account = getAccount(context, wanted.destination, 'destination')
  checkPositive(wanted.amount)
  if (account.bank === null) {
    const message =
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments'
    throw StripeError.wrongState(message, 'insufficient_capabilities_for_transfer')
  }
  if (platformBalance(context, wanted.currency) < wanted.amount) throw insufficient()
  const id = objectId('tr')
  const { id: balanceId } = recordMovement(context, {
    amount: -wanted.amount,
    currency: wanted.currency,
    type: 'transfer',
    sourceId: id,
    description: null,
  })
  const transfer = { ...wanted, id, createdAt: context.now(), amountReversed: 0, balanceId, reversals: [] }
  context.state.transfers.put(transfer)
  tellTransfer(context, cause, 'transfer.created', transfer)
  return transfer
}

/** @throws StripeError 404 */
export function getTransfer(context: Context, id: string): TransferRecord {
  const transfer = context.state.transfers.get(id)
  if (!transfer) throw StripeError.missing('transfer', id)
  return transfer
}

/**
 * Moves a transfer back, in full or in part.
 *
 * @throws StripeError 400 when it was moved back already, or the account does not have the money
 */
export function reverseTransfer(
  context: Context,
  cause: Cause,
  transfer: TransferRecord,
  wanted: { readonly amount: number | undefined; readonly metadata: Metadata },
): ReversalRecord {
  const left = transfer.amount - transfer.amountReversed
  const amount = wanted.amount ?? left
  if (left === 0)
    throw StripeError.wrongState(`Transfer ${transfer.id} is already fully reversed.`, 'transfer_already_reversed')
  checkPositive(amount)
  if (amount > left)
    throw StripeError.invalid('The amount is greater than what is left of the transfer.', { param: 'amount' })
  if (accountBalance(context, transfer.destination, transfer.currency) < amount) throw insufficient()
  const id = objectId('trr')
  const { id: balanceId } = recordMovement(context, {
    amount,
    currency: transfer.currency,
    type: 'transfer_refund',
    sourceId: id,
    description: null,
  })
  const reversal = { id, createdAt: context.now(), amount, metadata: wanted.metadata, balanceId }
  const reversed = context.state.transfers.put({
    ...transfer,
    amountReversed: transfer.amountReversed + amount,
    reversals: [...transfer.reversals, reversal],
  })
  tellTransfer(context, cause, 'transfer.reversed', reversed, { amount_reversed: transfer.amountReversed })
  return reversal
}
