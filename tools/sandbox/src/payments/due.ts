import { renewDue } from '../billing/subscriptions.js'
import { finishPayout } from '../connect/payouts.js'
import { type Context, NO_CALL } from '../context.js'
import { endIfExpired } from '../crypto/intents.js'
import { settle } from './attempts.js'
import { finishRefund } from './refunds.js'

/** Settles every payment, refund and payout whose time has come, ends expired quotes, and renews subscriptions; the caller commits. */
export function settleDue(context: Context): void {
  const now = context.now()
  for (const intent of [...context.state.intents.oldestFirst()]) {
    if (intent.status === 'processing' && isDue(intent.settlesAt, now)) settle(context, NO_CALL, intent)
  }
  for (const refund of [...context.state.refunds.oldestFirst()]) {
    if (isDue(refund.settlesAt, now)) finishRefund(context, NO_CALL, refund)
  }
  for (const intent of [...context.state.cryptoIntents.oldestFirst()]) endIfExpired(context, intent)
  for (const payout of [...context.state.payouts.oldestFirst()]) {
    if (isDue(payout.settlesAt, now)) finishPayout(context, NO_CALL, payout)
  }
  renewDue(context, NO_CALL)
}

function isDue(at: number | null, now: number): boolean {
  return at !== null && at <= now
}
