import { type Context, NO_CALL } from '../context.js'
import { settle } from './attempts.js'
import { finishRefund } from './refunds.js'

/** Settles every payment and refund whose time has come; the caller commits. */
export function settleDue(context: Context): void {
  const now = context.now()
  for (const intent of [...context.state.intents.oldestFirst()]) {
    if (intent.status === 'processing' && isDue(intent.settlesAt, now)) settle(context, NO_CALL, intent)
  }
  for (const refund of [...context.state.refunds.oldestFirst()]) {
    if (isDue(refund.settlesAt, now)) finishRefund(context, NO_CALL, refund)
  }
}

function isDue(at: number | null, now: number): boolean {
  return at !== null && at <= now
}
