import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import { platformBalance, recordMovement } from '../payments/balance.js'
import type { Metadata } from '../payments/records.js'
import { accountBalance, getAccount } from './accounts.js'
import { checkPositive, insufficient } from './amounts.js'
import { isPayable, type PayoutRecord } from './records.js'
import { tellAccount, tellPayout } from './tell.js'
import { TEST_BANKS } from './test-banks.js'

/** A payout arrives or fails after this many days, unless its test bank is a slow one; `DAY_SECONDS` scales it. */
const TRANSIT_DAYS = 1 / 24

interface NewPayout {
  /** The seller's account; null for Holdfast's own balance and bank. */
  readonly accountId: string | null
  readonly amount: number
  readonly currency: string
  /** The bank; that of the account when it is left out. */
  readonly destination?: string | undefined
  readonly metadata: Metadata
}

/**
 * Sends money from an account to its bank.
 *
 * @throws StripeError 400 when the balance is too low, or the provider pays nothing into the bank; 404 for a bank that the account does not have
 */
export function createPayout(context: Context, cause: Cause, { destination, ...wanted }: NewPayout): PayoutRecord {
  checkPositive(wanted.amount)
  const { accountId, amount, currency } = wanted
  const account = accountId === null ? null : getAccount(context, accountId)
  if (account && !isPayable(account))
    throw StripeError.wrongState('Payouts are not enabled for this account.', 'payouts_not_allowed')
  if (destination !== undefined && destination !== account?.bank?.id)
    throw StripeError.missing('external account', destination, 'destination')
  const available =
    accountId === null ? platformBalance(context, currency) : accountBalance(context, accountId, currency)
  if (available < amount) throw insufficient()
  const bank = account?.bank ?? null
  const transitDays = (bank && TEST_BANKS[bank.instrument]?.transitDays) ?? TRANSIT_DAYS
  const payout: PayoutRecord = {
    id: objectId('po'),
    createdAt: context.now(),
    ...wanted,
    status: 'in_transit',
    bank,
    failureCode: null,
    settlesAt: context.now() + transitDays * context.config.daySeconds * 1000,
  }
  context.state.payouts.put(payout)
  if (accountId === null) movement(context, payout, 'payout', -amount)
  tellPayout(context, cause, 'payout.created', payout)
  return payout
}

/** @throws StripeError 404 when there is none, or when it is another account's */
export function getPayout(context: Context, id: string, accountId: string | null): PayoutRecord {
  const payout = context.state.payouts.get(id)
  if (!payout || payout.accountId !== accountId) throw StripeError.missing('payout', id)
  return payout
}

/** The bank has the payout. */
export function arrive(context: Context, cause: Cause, payout: PayoutRecord): PayoutRecord {
  const paid = context.state.payouts.put({ ...payout, status: 'paid', settlesAt: null })
  tellPayout(context, cause, 'payout.paid', paid, { status: payout.status })
  return paid
}

/** The bank returns the payout: the money is in the account again, and the provider pays nothing more into that bank. */
export function comeBack(context: Context, cause: Cause, payout: PayoutRecord, code = 'no_account'): PayoutRecord {
  const failed = context.state.payouts.put({ ...payout, status: 'failed', failureCode: code, settlesAt: null })
  const { accountId } = payout
  if (accountId === null) movement(context, payout, 'payout_failure', payout.amount)
  tellPayout(context, cause, 'payout.failed', failed, { status: payout.status })
  const account = accountId === null ? undefined : context.state.accounts.get(accountId)
  if (account?.bank && account.bank.id === payout.bank?.id)
    tellAccount(context, cause, context.state.accounts.put({ ...account, bank: { ...account.bank, errored: true } }))
  return failed
}

/** Ends a payout that is due, as its test bank account says. */
export function finishPayout(context: Context, cause: Cause, payout: PayoutRecord): PayoutRecord {
  const failure = payout.bank && TEST_BANKS[payout.bank.instrument]?.failure
  return failure ? comeBack(context, cause, payout, failure) : arrive(context, cause, payout)
}

function movement(context: Context, { id, currency }: PayoutRecord, type: 'payout' | 'payout_failure', amount: number) {
  recordMovement(context, { amount, currency, type, sourceId: id, description: 'STRIPE PAYOUT' })
}
