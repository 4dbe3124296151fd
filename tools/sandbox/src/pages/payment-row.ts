import type { PaymentMove, PaymentOverview } from '../control/overview.js'
import { type Html, type HtmlPart, html } from './html.js'
import { time } from './layout.js'

/** Whether a person must act, or may, before this payment continues. */
export function isWaiting(payment: PaymentOverview): boolean {
  return payment.status === 'processing' || payment.status === 'requires_action'
}

export function paymentRow(payment: PaymentOverview, now: number): Html {
  return html`<li id="${payment.id}" class="row ${toneOf(payment)}" tabindex="-1">
<p class="money">${payment.display} <span class="unit">${payment.currency}</span></p>
<div class="what">
<p class="state">${stateOf(payment, now)}</p>
<p class="detail">${payment.description ?? 'Payment'}${payment.method && ` · ${payment.method}`} · ${time(Date.parse(payment.createdAt), now)}</p>
<p class="id">${payment.id}</p>
${payment.refunds.map(refund => html`<p class="detail">Refund of ${refund.display}: ${REFUND[refund.status] ?? refund.status}</p>`)}
</div>
<div class="moves">${payment.moves.map(move => moveForm(payment, move))}${otherForms(payment)}</div>
</li>`
}

function toneOf(payment: PaymentOverview): string {
  if (isWaiting(payment)) return 'waits'
  if (payment.failure || payment.dispute) return 'trouble'
  return payment.status === 'succeeded' ? 'held' : 'calm'
}

function stateOf(payment: PaymentOverview, now: number): HtmlPart {
  if (payment.dispute) return DISPUTE[payment.dispute.status] ?? 'Disputed'
  switch (payment.status) {
    case 'requires_payment_method':
      return payment.failure ? `Refused: ${payment.failure}` : 'Waiting for the buyer’s card'
    case 'requires_confirmation':
      return 'Waiting for the buyer to confirm'
    case 'requires_action':
      if (payment.missing === null) return 'Waiting for 3-D Secure or the wallet'
      return payment.missing === payment.amount
        ? 'Waiting for the buyer’s bank transfer'
        : `Waiting for the rest of the transfer: ${payment.missingDisplay} is missing`
    case 'processing':
      return payment.settlesAt
        ? html`On its way, arrives by itself by ${time(Date.parse(payment.settlesAt), now)}`
        : 'On its way, waits for you to settle it'
    case 'succeeded':
      return paidState(payment)
    case 'canceled':
      return 'Cancelled before it was paid'
  }
}

function paidState(payment: PaymentOverview): string {
  if (payment.refunded === 0) return 'Paid'
  return payment.refunded === payment.amount ? 'Paid, all given back' : `Paid, ${payment.refundedDisplay} given back`
}

const DISPUTE: Readonly<Record<string, string>> = {
  needs_response: 'Disputed by the cardholder, the bank has not ruled',
  won: 'Disputed, and the merchant won',
  lost: 'Disputed, and the cardholder won',
}

const REFUND: Readonly<Record<string, string>> = {
  pending: 'on its way',
  succeeded: 'arrived',
  failed: 'came back',
}

const BUTTONS: Readonly<
  Record<Exclude<PaymentMove, 'challenge' | 'transfer'>, readonly [label: string, tone: string]>
> = {
  settle: ['Settle', 'primary'],
  decline: ['Decline', ''],
  return: ['Bank returns it', ''],
  refund: ['Refund', ''],
  dispute: ['Dispute', ''],
}

function moveForm(payment: PaymentOverview, move: PaymentMove): Html {
  if (move === 'challenge') {
    return html`<form method="post" action="/sandbox/payments/${payment.id}/challenge">
<button class="primary" name="outcome" value="pass" id="pass-${payment.id}" ${named(`Confirm the 3-D Secure check of ${payment.display}`)}>Confirm</button>
<button name="outcome" value="fail" id="fail-${payment.id}" ${named(`Fail the 3-D Secure check of ${payment.display}`)}>Fail</button>
</form>${payment.challengeUrl && html`<a class="quiet" href="${payment.challengeUrl}" id="open-${payment.id}">Buyer’s page</a>`}`
  }
  if (move === 'transfer')
    return html`<form method="post" action="/sandbox/payments/${payment.id}/transfer">
<label for="amount-${payment.id}">Cents</label>
<input id="amount-${payment.id}" name="amount" type="number" min="1" step="1" value="${String(payment.missing || 1_000)}">
<button class="${payment.missing ? 'primary' : ''}" id="transfer-${payment.id}" ${named(`Send a transfer for the payment of ${payment.display}`)}>Send transfer</button></form>`
  const [label, tone] = BUTTONS[move]
  return html`<form method="post" action="/sandbox/payments/${payment.id}/${move === 'return' ? 'decline' : move}">
<button class="${tone}" id="${move}-${payment.id}" ${named(`${label} the payment of ${payment.display}`)}>${label}</button></form>`
}

function otherForms(payment: PaymentOverview): HtmlPart {
  const pending = payment.refunds.filter(refund => refund.status === 'pending')
  const { dispute } = payment
  return [
    pending.map(
      refund => html`<form method="post" action="/sandbox/refunds/${refund.id}/settle">
<button class="primary" id="settle-${refund.id}" ${named(`Let the refund of ${refund.display} arrive`)}>Refund arrives</button></form>
<form method="post" action="/sandbox/refunds/${refund.id}/fail">
<button id="fail-${refund.id}" ${named(`Let the refund of ${refund.display} come back`)}>Comes back</button></form>`,
    ),
    dispute &&
      dispute.status !== 'needs_response' &&
      html`<form method="post" action="/sandbox/disputes/${dispute.id}/decide-again">
<button id="again-${dispute.id}" ${named(`The bank decides otherwise about the dispute over ${payment.display}`)}>Bank decides otherwise</button></form>`,
    dispute?.status === 'needs_response' &&
      html`<form method="post" action="/sandbox/disputes/${dispute.id}/close">
<button name="outcome" value="won" id="won-${dispute.id}" ${named(`The merchant wins the dispute over ${payment.display}`)}>Merchant wins</button>
<button name="outcome" value="lost" id="lost-${dispute.id}" ${named(`The cardholder wins the dispute over ${payment.display}`)}>Buyer wins</button></form>`,
  ]
}

/** A label that tells a screen reader to which payment a button belongs. It begins with the visible text. */
function named(text: string): Html {
  return html`aria-label="${text}" data-done="${text}"`
}
