import type { Cause, Context } from '../context.js'
import { recordEvent } from '../payments/events.js'
import type { AccountRecord, PayoutRecord, TransferRecord } from './records.js'
import { renderAccount, renderPayout, renderTransfer } from './render.js'

type Previous = Readonly<Record<string, unknown>> | null

/** Events of a seller's account name it, as those of the provider's Connect webhooks do. */
export function tellAccount(context: Context, cause: Cause, account: AccountRecord): void {
  recordEvent(context, cause, 'account.updated', renderAccount(account), { subject: account.id, account: account.id })
}

export function tellPayout(
  context: Context,
  cause: Cause,
  type: `payout.${string}`,
  payout: PayoutRecord,
  previous: Previous = null,
): void {
  const { id, accountId } = payout
  const about = { subject: id, ...(accountId !== null && { account: accountId }), previous }
  recordEvent(context, cause, type, renderPayout(payout), about)
}

export function tellTransfer(
  context: Context,
  cause: Cause,
  type: `transfer.${string}`,
  transfer: TransferRecord,
  previous: Previous = null,
): void {
  recordEvent(context, cause, type, renderTransfer(transfer), { subject: transfer.id, previous })
}
