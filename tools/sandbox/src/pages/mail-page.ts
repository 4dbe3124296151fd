import type { Context } from '../context.js'
import { mailsTo } from '../mail/mails.js'
import type { MailRecord } from '../mail/records.js'
import { type Html, html } from './html.js'
import { layout, time } from './layout.js'

const MAX_ROWS = 100

/** The page of all mails, or of those to an address. */
export function mailsPage(context: Context, to: string): Html {
  const now = context.now()
  const mails = mailsTo(context, to)
  return layout(
    'Mails, Holdfast sandbox',
    html`<header>
<div>
<p class="eyebrow">Nothing leaves this machine</p>
<h1>Mails</h1>
</div>
<p class="lead">What the product has sent to people. Open a mail to read it and to use its link.</p>
<nav aria-label="Sandbox"><a href="/">Payments and parcels</a> <a href="/texts">Texts</a></nav>
</header>
<main>
<form class="search" method="get" action="/mails">
<label>To <input type="search" name="to" value="${to}" placeholder="maya@example.com"></label>
<button type="submit">Show</button>
</form>
${
  mails.length === 0
    ? html`<p class="empty">${to ? `No mail to ${to} yet.` : 'No mail yet. Sign up in the product: it sends one at once.'}</p>`
    : html`<ul class="mails">${mails.slice(0, MAX_ROWS).map(mail => row(mail, now))}</ul>`
}
</main>`,
    false,
  )
}

const row = ({ id, receivedAt, recipients, subject }: MailRecord, now: number): Html =>
  html`<li><a href="/mails/${id}"><strong>${subject}</strong></a> <span>${recipients.join(', ')}</span> ${time(receivedAt, now)}</li>`

/** The page of one mail. Its HTML is in a frame that runs no script. */
export function mailPage(context: Context, mail: MailRecord): Html {
  const { id, subject, from, recipients, receivedAt, text, html: body } = mail
  return layout(
    `${subject}, Holdfast sandbox`,
    html`<header>
<div>
<p class="eyebrow">From ${from}</p>
<h1>${subject}</h1>
</div>
<p class="lead">To ${recipients.join(', ')}, ${time(receivedAt, context.now())}</p>
<nav aria-label="Sandbox"><a href="/mails">All mails</a></nav>
</header>
<main>
${body && html`<iframe class="mail" title="The mail" src="/mails/${id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`}
<details ${!body && html`open`}><summary>The same as plain text</summary><pre>${text}</pre></details>
</main>`,
    false,
  )
}

/** The HTML of a mail as its frame loads it. Links open in a new tab. */
export const mailFrame = (body: string): string => body.replace(/<head>/i, '<head><base target="_blank">')
