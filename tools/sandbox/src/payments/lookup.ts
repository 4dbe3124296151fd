import { renderInvoice, renderSubscription } from '../billing/render.js'
import { renderPayout, renderReversal, renderTransfer } from '../connect/render.js'
import type { Context } from '../context.js'
import type { Lookup } from '../http/expand.js'
import type { State } from '../state/state.js'
import { renderCharge } from './render-charge.js'
import { renderIntent } from './render-intent.js'
import { renderMethod } from './render-method.js'
import { renderBalance, renderDispute, renderRefund } from './render-money.js'

/** Finds any object of the payment side by its id, in wire form. */
export function lookupIn(context: Context): Lookup {
  const { state } = context
  const some = <T>(record: T | undefined, render: (record: T) => object) =>
    record === undefined ? undefined : (render(record) as Record<string, unknown>)
  const finders: Readonly<Record<string, Lookup>> = {
    pi: id => some(state.intents.get(id), record => renderIntent(context, record)),
    pm: id => some(state.methods.get(id), renderMethod),
    ch: id => some(state.charges.get(id), record => renderCharge(context, record)),
    py: id => some(state.charges.get(id), record => renderCharge(context, record)),
    txn: id => some(state.balance.get(id), record => renderBalance(record, context.now())),
    re: id => some(state.refunds.get(id), renderRefund),
    pyr: id => some(state.refunds.get(id), renderRefund),
    tr: id => some(state.transfers.get(id), renderTransfer),
    trr: id => some(reversalIn(state, id), ({ transfer, reversal }) => renderReversal(transfer, reversal)),
    po: id => some(state.payouts.get(id), renderPayout),
    sub: id => some(state.subscriptions.get(id), record => renderSubscription(context, record)),
    in: id => some(state.invoices.get(id), record => renderInvoice(context, record)),
    du: id => some(state.disputes.get(id), record => renderDispute(context, record)),
  }
  return id => finders[id.slice(0, id.indexOf('_'))]?.(id)
}

function reversalIn(state: State, id: string) {
  for (const transfer of state.transfers.oldestFirst()) {
    const reversal = transfer.reversals.find(each => each.id === id)
    if (reversal) return { transfer, reversal }
  }
  return undefined
}
