import type { Context } from '../context.js'
import {
  type DeliveryOverview,
  overviewOfDeliveries,
  overviewOfParcels,
  overviewOfPayments,
  type PaymentOverview,
} from '../control/overview.js'
import { TEST_CARDS } from '../payments/test-cards.js'
import { cryptoRow, withdrawalRow } from './crypto-row.js'
import { deliveryRow } from './delivery-row.js'
import { type Html, type HtmlPart, html } from './html.js'
import { layout } from './layout.js'
import { parcelRow } from './parcel-row.js'
import { isWaiting, paymentRow } from './payment-row.js'
import { payoutRow } from './payout-row.js'
import { settingsForm } from './settings-form.js'
import { subscriptionRow } from './subscription-row.js'

const MAX_ROWS = 25
/** A payment has several deliveries, and successful ones matter little, so few are shown. */
const MAX_OPEN_DELIVERIES = 8

/** The page at `/`: payments and parcels that a person can act on, webhooks, and settings. */
export function dashboard(context: Context): Html {
  const now = context.now()
  const payments = waitingFirst(overviewOfPayments(context))
  const parcels = overviewOfParcels(context)
  const payouts = context.state.payouts.newestFirst()
  const crypto = cryptoRows(context, now)
  const subscriptions = context.state.subscriptions.newestFirst()
  const deliveries = overviewOfDeliveries(context)
  const { open, quiet } = byInterest(deliveries)
  return layout(
    'Holdfast sandbox',
    html`<a class="skip" href="#live">Skip to the payments</a>
<header>
<div>
<p class="eyebrow">Test mode, no real money</p>
<h1>Sandbox</h1>
</div>
<p class="lead">The payment provider and the carrier, at home. What you do here, the product hears of by webhook, as it would in real life.</p>
<nav aria-label="On this page">
<a href="#payments">Payments</a>
<a href="#parcels">Parcels</a>
<a href="#crypto">Crypto</a>
<a href="#payouts">Payouts</a>
<a href="#subscriptions">Subscriptions</a>
<a href="#webhooks">Webhooks</a>
<a href="#behaviour">How it behaves</a>
<a href="#cards">Test cards</a>
<a href="/mails">Mails</a>
</nav>
</header>
<p id="message" class="message" role="status" aria-live="polite"></p>
<main id="live">
${pausedNotice(context)}
<div class="columns">
<section aria-labelledby="payments">
${heading('payments', 'Payments', payments.length)}
${rows(
  payments.slice(0, MAX_ROWS).map(each => paymentRow(each, now)),
  'There is no payment yet. Open a transaction in the product and send funds with one of the test cards.',
)}
</section>
<section aria-labelledby="parcels">
${heading('parcels', 'Parcels', parcels.length)}
${rows(
  parcels.slice(0, MAX_ROWS).map(each => parcelRow(each, now)),
  'No parcel yet. It appears as soon as a seller saves a tracking number.',
)}
</section>
</div>
<section aria-labelledby="crypto">
${heading('crypto', 'Crypto', crypto.length)}
${rows(crypto.slice(0, MAX_ROWS), 'No payment in cryptocurrency yet. It appears when a buyer asks for an address.')}
</section>
<section aria-labelledby="payouts">
${heading('payouts', 'Payouts', payouts.length)}
${rows(
  payouts.slice(0, MAX_ROWS).map(each => payoutRow(each, now)),
  'No payout yet. It appears when a seller who has a payout account is paid.',
)}
</section>
<section aria-labelledby="subscriptions">
${heading('subscriptions', 'Subscriptions', subscriptions.length)}
${rows(
  subscriptions.slice(0, MAX_ROWS).map(each => subscriptionRow(context, each, now)),
  'No subscription yet. It appears when someone opens the card form of Premium.',
)}
</section>
<section aria-labelledby="webhooks">
${heading('webhooks', 'Webhooks', deliveries.length)}
${rows(
  open.slice(0, MAX_ROWS).map(each => deliveryRow(each, now)),
  'Nothing has been sent. Every change of a payment or parcel is.',
)}
${older(quiet.slice(0, MAX_ROWS), now)}
</section>
${settingsForm(context.state.settings)}
</main>
${testCards()}
${footer()}`,
    true,
  )
}

/** Payments in cryptocurrency, and what is sent to wallets, the newest first. */
function cryptoRows(context: Context, now: number): Html[] {
  const payments = context.state.cryptoIntents
    .newestFirst()
    .map(each => ({ at: each.createdAt, row: cryptoRow(each, now) }))
  const withdrawals = context.state.withdrawals
    .newestFirst()
    .map(each => ({ at: each.createdAt, row: withdrawalRow(each, now) }))
  const newestFirst = [...payments, ...withdrawals].sort((a, b) => b.at - a.at)
  return newestFirst.flatMap(({ row }) => (row ? [row] : []))
}

/** Payments that wait for a person come first; the rest keeps its order, newest first. */
function waitingFirst(payments: readonly PaymentOverview[]): PaymentOverview[] {
  return [...payments.filter(isWaiting), ...payments.filter(each => !isWaiting(each))]
}

/** Undelivered ones come first, then the newest; the rest can be unfolded. */
function byInterest(deliveries: readonly DeliveryOverview[]) {
  const waiting = deliveries.filter(each => each.status !== 'delivered')
  const delivered = deliveries.filter(each => each.status === 'delivered')
  const room = Math.max(0, MAX_OPEN_DELIVERIES - waiting.length)
  return { open: [...waiting, ...delivered.slice(0, room)], quiet: delivered.slice(room) }
}

function older(deliveries: readonly DeliveryOverview[], now: number): HtmlPart {
  if (deliveries.length === 0) return null
  return html`<details id="older-webhooks">
<summary>${deliveries.length} older, delivered</summary>
<ul class="rows">${deliveries.map(each => deliveryRow(each, now))}</ul>
</details>`
}

function heading(id: string, title: string, count: number): Html {
  const shown = count > MAX_ROWS ? `newest ${MAX_ROWS} of ${count === 200 ? '200 or more' : count}` : String(count)
  return html`<h2 id="${id}">${title} <span class="count">${shown}</span></h2>`
}

function rows(items: readonly Html[], empty: string): Html {
  return items.length === 0 ? html`<p class="empty">${empty}</p>` : html`<ul class="rows">${items}</ul>`
}

function pausedNotice(context: Context): HtmlPart {
  if (!context.state.settings.webhooksPaused) return null
  return html`<div class="notice"><p>Webhooks are paused: the product hears of nothing until they go on.</p>
<form method="post" action="/sandbox/webhooks/resume"><button class="primary" id="resume">Resume webhooks</button></form></div>`
}

const SHOWN_CARDS: readonly (readonly [name: string, does: string])[] = [
  ['visa', 'Pays'],
  ['mastercard', 'Pays'],
  ['authentication_required', 'Asks for 3-D Secure first'],
  ['generic_decline', 'Declined'],
  ['insufficient_funds', 'Declined: insufficient funds'],
  ['expired_card', 'Declined: expired'],
  ['incorrect_cvc', 'Declined: wrong security code'],
  ['decline_after_attaching', 'Can be saved; each payment is declined'],
  ['disputed', 'Pays, then the cardholder disputes it'],
  ['refund_later', 'Pays; refunds take their time'],
  ['refund_fails', 'Pays; refunds come back'],
]

function testCards(): Html {
  return html`<section aria-labelledby="cards" class="cards">
<h2 id="cards">Test cards</h2>
<p>Any expiry date to come, any three digits, any name. Every other number is refused.</p>
<dl>
${SHOWN_CARDS.map(
  ([name, does]) => html`<div><dt>${grouped(TEST_CARDS[name]?.number ?? '')}</dt><dd>${does}</dd></div>`,
)}
</dl>
</section>`
}

function grouped(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ')
}

const API: readonly (readonly [call: string, does: string])[] = [
  ['GET /sandbox/payments, /payments/{id}', 'payments, and what can be done with them'],
  ['POST /sandbox/payments/{id}/settle', 'a waiting payment arrives'],
  ['POST /sandbox/payments/{id}/decline', '{ reason? } a waiting payment is refused'],
  ['POST /sandbox/payments/{id}/challenge', '{ outcome: pass | fail } 3-D Secure'],
  ['POST /sandbox/payments/{id}/refund', '{ amount? } the merchant gives it back'],
  ['POST /sandbox/payments/{id}/dispute', 'the cardholder disputes it'],
  ['POST /sandbox/disputes/{id}/close', '{ outcome: won | lost }'],
  ['POST /sandbox/refunds/{id}/settle, /fail', 'a refund arrives, or comes back'],
  ['GET /sandbox/crypto, /crypto/{id or address}', 'payments in cryptocurrency'],
  ['POST /sandbox/crypto/{id}/send', '{ amount? } cryptocurrency is sent; what is asked for when absent'],
  ['POST /sandbox/crypto/{id}/confirm', '{ blocks? } its network confirms what was sent'],
  ['POST /sandbox/crypto/{id}/reorganise, /expire', 'its network forgets what was sent; the amount holds no longer'],
  ['POST /sandbox/crypto/{id}/arrive-back', 'what the processor returns arrives'],
  ['GET /sandbox/withdrawals, POST /withdrawals/{id}/settle', 'money for wallets; it arrives'],
  ['GET /sandbox/payouts', 'payouts'],
  ['POST /sandbox/payouts/{id}/settle, /fail', '{ code? } a payout arrives, or comes back'],
  ['GET /sandbox/subscriptions', 'subscriptions'],
  ['POST /sandbox/subscriptions/{id}/renew', 'its next period begins now, and its card is charged'],
  ['POST /sandbox/subscriptions/{id}/fail', '{ fails? } whether its card is declined from now on'],
  ['POST /sandbox/subscriptions/{id}/retry', 'a card that was declined is charged again'],
  ['POST /sandbox/accounts/{id}/stop, /resume', 'the provider stops a seller’s account; lets it go on'],
  ['POST /sandbox/platform-payouts', '{ amount? } the balance goes to Holdfast’s own bank'],
  [
    'POST /sandbox/platform-movements',
    '{ amount, type } a fee outside of charges is taken from the balance, or it is topped up',
  ],
  ['GET /sandbox/parcels', 'parcels'],
  [
    'POST /sandbox/parcels/{code}/move',
    '{ status: accepted | in_transit | out_for_delivery | delivered | lost, datetime? }',
  ],
  ['GET /sandbox/webhooks, /webhooks/{id}/body', 'deliveries and the bodies that were sent'],
  ['POST /sandbox/webhooks/{id}/resend', 'once more'],
  ['POST /sandbox/webhooks/pause, /resume', 'hold everything back; let it go'],
  ['POST /sandbox/webhooks/forge', '{ payment, kind } a claim the product must not believe'],
  ['GET, POST /sandbox/settings', 'how the sandbox behaves'],
  ['GET, POST, DELETE /sandbox/faults', '{ kind, method?, path?, times?, delayMs? } what goes wrong next'],
  ['POST /sandbox/reset', 'forget everything'],
]

function footer(): Html {
  return html`<footer>
<details id="api">
<summary>The same from a test: the JSON API</summary>
<dl>
${API.map(([call, does]) => html`<div><dt>${call}</dt><dd>${does}</dd></div>`)}
</dl>
</details>
<p>Speaks Stripe’s and Coinify’s APIs under <code>/v1</code> and a carrier aggregator’s under <code>/v2</code>. It refuses to run in production.</p>
</footer>`
}
