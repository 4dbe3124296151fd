import { type Cause, type Context, NO_CALL } from '../context.js'
import { objectId, randomName } from '../http/object-ids.js'
import { StripeError } from '../http/stripe-error.js'
import type { Metadata } from '../payments/records.js'
import type { AccountLinkRecord, AccountRecord } from './records.js'
import { tellAccount } from './tell.js'
import { TEST_BANK_NAME, TEST_BANKS } from './test-banks.js'

/** A link can be opened for this time (docs.stripe.com/api/account_links). */
const LINK_LASTS_MS = 10 * 60 * 1000

export function createAccount(context: Context, metadata: Metadata): AccountRecord {
  const account = { id: objectId('acct'), createdAt: context.now(), metadata, holder: null, bank: null, stopped: false }
  return context.state.accounts.put(account)
}

/** @throws StripeError 403, or 404 naming the parameter that has the id */
export function getAccount(context: Context, id: string, param?: string): AccountRecord {
  const account = context.state.accounts.get(id)
  if (!account) throw param === undefined ? StripeError.noAccess(id) : StripeError.missing('account', id, param)
  return account
}

/** @throws StripeError 404 */
export function createLink(context: Context, wanted: { accountId: string; returnUrl: string }): AccountLinkRecord {
  getAccount(context, wanted.accountId, 'account')
  return context.state.accountLinks.put({ id: randomName(32), createdAt: context.now(), ...wanted, used: false })
}

export const expiresAt = (link: AccountLinkRecord): number => link.createdAt + LINK_LASTS_MS

/** The link, while its form can be filled in. */
export function openLink(context: Context, id: string): AccountLinkRecord | null {
  const link = context.state.accountLinks.get(id)
  return link && !link.used && expiresAt(link) > context.now() ? link : null
}

/** The seller has filled in the form. @returns null when the bank account is none of the sandbox's */
export function fillIn(
  context: Context,
  link: AccountLinkRecord,
  { holder, number }: { holder: string; number: string },
): AccountRecord | null {
  const found = Object.entries(TEST_BANKS).find(([, bank]) => bank.number === number.replace(/[ -]/g, ''))
  if (!found) return null
  const [instrument, bank] = found
  const account = context.state.accounts.put({
    ...getAccount(context, link.accountId),
    holder,
    bank: { id: objectId('ba'), bankName: TEST_BANK_NAME, last4: bank.number.slice(-4), instrument, errored: false },
  })
  context.state.accountLinks.put({ ...link, used: true })
  tellAccount(context, NO_CALL, account)
  return account
}

/** The provider stops an account, or lets it go on. */
export function stopAccount(context: Context, cause: Cause, account: AccountRecord, stopped: boolean): AccountRecord {
  const changed = context.state.accounts.put({ ...account, stopped })
  tellAccount(context, cause, changed)
  return changed
}

/** What is in an account at the provider, in a currency. */
export function accountBalance({ state }: Context, accountId: string, currency: string): number {
  let sum = 0
  for (const transfer of state.transfers.oldestFirst())
    if (transfer.destination === accountId && transfer.currency === currency)
      sum += transfer.amount - transfer.amountReversed
  for (const payout of state.payouts.oldestFirst())
    if (payout.accountId === accountId && payout.currency === currency && payout.status !== 'failed')
      sum -= payout.amount
  return sum
}
