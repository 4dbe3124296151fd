import type { DeliveryOverview } from '../control/overview.js'
import { type Html, html } from './html.js'
import { time } from './layout.js'

export function deliveryRow(delivery: DeliveryOverview, now: number): Html {
  const last = delivery.recent.at(-1)
  const label = `Send ${delivery.type} again`
  return html`<li id="${delivery.id}" class="row delivery ${TONES[delivery.status]}" tabindex="-1">
<p class="code">${delivery.type}</p>
<div class="what">
<p class="state">${stateOf(delivery)}</p>
<p class="detail">${delivery.subject} · ${time(Date.parse(delivery.createdAt), now)}${
    last && html` · ${last.status === null ? last.error : `answered ${last.status}`} in ${last.ms} ms`
  }${delivery.dueAt && delivery.attempts > 0 && html` · again at ${time(Date.parse(delivery.dueAt), now)}`}</p>
</div>
<div class="moves"><form method="post" action="/sandbox/webhooks/${delivery.id}/resend">
<button id="resend-${delivery.id}" aria-label="${label}" data-done="${label}">Resend</button></form>
<a class="quiet" href="/sandbox/webhooks/${delivery.id}/body" id="body-${delivery.id}" aria-label="Body of ${delivery.type}">Body</a></div>
</li>`
}

const TONES: Readonly<Record<DeliveryOverview['status'], string>> = {
  pending: 'waits',
  delivered: 'held',
  given_up: 'trouble',
}

function stateOf(delivery: DeliveryOverview): string {
  const tries = `${delivery.attempts} ${delivery.attempts === 1 ? 'attempt' : 'attempts'}`
  if (delivery.status === 'delivered') return delivery.attempts === 1 ? 'Delivered' : `Delivered after ${tries}`
  if (delivery.status === 'given_up') return `Given up after ${tries}`
  return delivery.attempts === 0 ? 'Waiting to be sent' : `Not delivered yet, ${tries}`
}
