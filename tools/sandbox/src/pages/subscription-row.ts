import type { SubscriptionRecord } from '../billing/records.js'
import type { Context } from '../context.js'
import { display } from '../payments/amounts.js'
import { type Html, html } from './html.js'
import { time } from './layout.js'

const STATES: Readonly<Record<SubscriptionRecord['status'], string>> = {
  incomplete: 'Waits for its first payment',
  incomplete_expired: 'Was never paid',
  active: 'Active',
  past_due: 'The card was declined',
  canceled: 'Ended',
}

/** A subscription, and what can happen to it next. */
export function subscriptionRow(context: Context, subscription: SubscriptionRecord, now: number): Html {
  const { id, status, fails, cancelAtPeriodEnd } = subscription
  const price = context.state.prices.get(subscription.priceId)
  const amount = price ? display(price.amount, price.currency) : ''
  const tone = status === 'past_due' ? 'trouble' : status === 'active' ? 'held' : 'waits'
  const isOpen = status === 'active' || status === 'past_due'
  return html`<li id="${id}" class="row ${tone}" tabindex="-1">
<p class="money">${amount} <span class="unit">a ${price?.interval ?? 'period'}</span></p>
<div class="what">
<p class="state">${STATES[status]}${fails && ', and its card will be declined'}${cancelAtPeriodEnd && ', ends with its period'}</p>
<p class="detail">Subscription · paid until ${time(subscription.periodEnd, now)}</p>
<p class="id">${id}</p>
</div>
<div class="moves">
${status === 'active' && move(id, 'renew', 'Next period', `Next period of ${id}`, 'primary')}
${status === 'past_due' && move(id, 'retry', 'Charge again', `Charge ${id} again`, 'primary')}
${isOpen && failing(id, !fails)}
</div>
</li>`
}

function move(id: string, step: string, label: string, about: string, tone: string): Html {
  return html`<form method="post" action="/sandbox/subscriptions/${id}/${step}">
<button class="${tone}" id="${step}-${id}" aria-label="${about}" data-done="${about}">${label}</button></form>`
}

function failing(id: string, fails: boolean): Html {
  const label = fails ? 'Card fails' : 'Card pays'
  const about = `${label} for ${id}`
  return html`<form method="post" action="/sandbox/subscriptions/${id}/fail">
<button name="fails" value="${String(fails)}" id="fail-${id}" aria-label="${about}" data-done="${about}">${label}</button></form>`
}
