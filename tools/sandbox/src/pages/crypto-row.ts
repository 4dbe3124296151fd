import { decimalOf, OF_ASSET } from '../crypto/assets.js'
import { latestQuote } from '../crypto/intents.js'
import type { CryptoIntentRecord, CryptoPaymentRecord, QuoteRecord, WithdrawalRecord } from '../crypto/records.js'
import { display } from '../payments/amounts.js'
import { type Html, type HtmlPart, html } from './html.js'
import { time } from './layout.js'

/** A payment in cryptocurrency, and what its buyer and its network can do with it. */
export function cryptoRow(intent: CryptoIntentRecord, now: number): Html | null {
  if (intent.quotes.length === 0) return null
  const quote = latestQuote(intent)
  const unconfirmed = intent.payments.some(({ confirmedAt }) => confirmedAt === null)
  const returning = intent.payments.some(({ automaticRefund }) => automaticRefund?.state === 'initiated')
  const asked = `${decimalOf(quote.units, quote.asset)} ${quote.asset}`
  const tone = unconfirmed
    ? 'waits'
    : intent.state === 'failed'
      ? 'trouble'
      : intent.state === 'completed'
        ? 'held'
        : 'calm'
  return html`<li id="${intent.id}" class="row ${tone}" tabindex="-1">
<p class="money">${display(intent.amount, 'usd')} <span class="unit">${intent.currency}</span></p>
<div class="what">
<p class="state">${stateOf(intent, quote, now)}</p>
<p class="detail">${asked} to ${quote.address} · ${time(intent.createdAt, now)}</p>
<p class="id">${intent.id}</p>
${intent.payments.map(each => paymentLine(each, quote))}
</div>
<div class="moves">
<form method="post" action="/sandbox/crypto/${intent.id}/send">
<label for="units-${intent.id}">${quote.asset}</label>
<input id="units-${intent.id}" name="amount" inputmode="decimal" value="${decimalOf(quote.units, quote.asset)}">
<button class="${intent.payments.length === 0 ? 'primary' : ''}" id="send-${intent.id}" ${named(`Send ${quote.asset} for the payment of ${asked}`)}>Send</button></form>
${unconfirmed && move(intent, 'confirm', 'Confirm', `Confirm the payment of ${asked}`, 'primary')}
${unconfirmed && move(intent, 'reorganise', 'Network forgets it', `Network forgets it: the payment of ${asked}`, '')}
${intent.state === 'pending' && move(intent, 'expire', 'Quote expires', `Quote expires: the payment of ${asked}`, '')}
${returning && move(intent, 'arrive-back', 'Return arrives', `Return arrives: the payment of ${asked}`, '')}
</div>
</li>`
}

/** What the merchant sends to a wallet. */
export function withdrawalRow(withdrawal: WithdrawalRecord, now: number): Html {
  const amount = `${decimalOf(withdrawal.units, withdrawal.asset)} ${withdrawal.asset}`
  const isOnItsWay = withdrawal.state === 'created'
  return html`<li id="${withdrawal.id}" class="row ${isOnItsWay ? 'waits' : 'held'}" tabindex="-1">
<p class="money">${display(withdrawal.amount, 'usd')} <span class="unit">${withdrawal.currency}</span></p>
<div class="what">
<p class="state">${isOnItsWay ? 'On its way to a wallet' : 'The wallet has it'}</p>
<p class="detail">${amount} to ${withdrawal.address} · ${time(withdrawal.createdAt, now)}</p>
<p class="id">${withdrawal.id}</p>
</div>
<div class="moves">${
    isOnItsWay &&
    html`<form method="post" action="/sandbox/withdrawals/${withdrawal.id}/settle">
<button class="primary" id="settle-${withdrawal.id}" ${named(`Arrives: the withdrawal of ${amount}`)}>Arrives</button></form>`
  }</div>
</li>`
}

function stateOf({ state, stateReason, payments }: CryptoIntentRecord, quote: QuoteRecord, now: number): HtmlPart {
  if (state !== 'pending') return `${state === 'completed' ? 'Paid' : 'Failed'}: ${stateReason}`
  if (payments.some(({ confirmedAt }) => confirmedAt === null)) return 'Sent, waits for its network'
  return html`Waiting for the buyer; the amount holds until ${time(quote.expiresAt, now)}`
}

function paymentLine({ units, confirmations, confirmedAt, automaticRefund }: CryptoPaymentRecord, quote: QuoteRecord) {
  const { asset } = quote
  const blocks =
    confirmedAt === null ? `${confirmations} of ${OF_ASSET[asset].confirmations} confirmations` : 'confirmed'
  const back = automaticRefund && ` · ${decimalOf(automaticRefund.units, asset)} goes back: ${automaticRefund.state}`
  return html`<p class="detail">${decimalOf(units, asset)} ${asset}, ${blocks}${back}</p>`
}

function move({ id }: CryptoIntentRecord, step: string, label: string, about: string, tone: string): Html {
  return html`<form method="post" action="/sandbox/crypto/${id}/${step}">
<button class="${tone}" id="${step}-${id}" ${named(about)}>${label}</button></form>`
}

const named = (words: string): Html => html`aria-label="${words}" data-done="${words}"`
