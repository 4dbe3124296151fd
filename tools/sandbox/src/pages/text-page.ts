import type { Context } from '../context.js'
import { type Html, html } from './html.js'
import { layout, time } from './layout.js'

const MAX_ROWS = 100

/** The page of the texts and push messages that the product has sent. */
export function textsPage(context: Context): Html {
  const now = context.now()
  const texts = context.state.texts.newestFirst().slice(0, MAX_ROWS)
  const pushed = context.state.pushMessages.newestFirst().slice(0, MAX_ROWS)
  return layout(
    'Texts, Holdfast sandbox',
    html`<header>
<div>
<p class="eyebrow">Nothing leaves this machine</p>
<h1>Texts</h1>
</div>
<p class="lead">What the product has texted to phones, and sent to the browsers of the sandbox.</p>
<nav aria-label="Sandbox"><a href="/">Payments and parcels</a> <a href="/mails">Mails</a></nav>
</header>
<main>
${
  texts.length === 0
    ? html`<p class="empty">No text yet. Save a phone number in the profile and ask for a code.</p>`
    : html`<ul class="mails">${texts.map(
        ({ to, body, receivedAt }) =>
          html`<li><strong>${body}</strong> <span>${to}</span> ${time(receivedAt, now)}</li>`,
      )}</ul>`
}
${
  pushed.length > 0 &&
  html`<h2>Push messages</h2><ul class="mails">${pushed.map(
    ({ text, receivedAt }) => html`<li><code>${text}</code> ${time(receivedAt, now)}</li>`,
  )}</ul>`
}
</main>`,
    false,
  )
}
