import type { SettingsRecord } from '../webhooks/records.js'
import { type Html, html } from './html.js'

/** The settings, a button for each switch. */
export function settingsForm(settings: SettingsRecord): Html {
  const byHand = settings.cards === 'by_hand'
  const refundsByHand = settings.refunds === 'by_hand'
  return html`<section aria-labelledby="behaviour">
<h2 id="behaviour">How it behaves</h2>
<ul class="switches">
${toggle('cards', byHand ? 'at_once' : 'by_hand', byHand, 'Card payments wait until you settle them')}
${toggle('refunds', refundsByHand ? 'at_once' : 'by_hand', refundsByHand, 'Refunds wait until you let them arrive')}
${toggle('webhooksPaused', String(!settings.webhooksPaused), settings.webhooksPaused, 'Webhooks are paused')}
${toggle('webhookDuplicates', settings.webhookDuplicates > 0 ? '0' : '1', settings.webhookDuplicates > 0, 'Every webhook is sent twice')}
${toggle('webhooksShuffled', String(!settings.webhooksShuffled), settings.webhooksShuffled, 'Webhooks come out of order')}
${toggle('webhookDelayMs', settings.webhookDelayMs > 0 ? '0' : '5000', settings.webhookDelayMs > 0, 'Webhooks come late, by 5 seconds')}
${toggle('latencyMs', settings.latencyMs > 0 ? '0' : '2000', settings.latencyMs > 0, 'Every call takes 2 seconds longer')}
</ul>
</section>`
}

function toggle(name: string, next: string, on: boolean, label: string): Html {
  return html`<li><form method="post" action="/sandbox/settings">
<button class="switch" role="switch" aria-checked="${String(on)}" name="${name}" value="${next}" id="switch-${name}" data-done="${label}: ${on ? 'off' : 'on'}"><span class="knob"></span>${label}</button></form></li>`
}
