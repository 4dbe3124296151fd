// Keeps the page current and sends its forms in the background. Without this script every button still works.

const REFRESH_MS = 1000
const live = /** @type {HTMLElement} */ (document.getElementById('live'))
const message = /** @type {HTMLElement} */ (document.getElementById('message'))
let etag = ''

/** Replaces the page's content with the newest. Focus and open parts are kept. */
async function refresh() {
  const answer = await fetch('/', { headers: etag ? { 'if-none-match': etag } : {}, cache: 'no-store' })
  if (answer.status === 304) return
  etag = answer.headers.get('etag') ?? ''
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('live')
  if (!next) return
  const focused = document.activeElement
  const focusId = focused && live.contains(focused) ? focused.id : ''
  const rowId = focusId ? focused?.closest('li[id]')?.id : ''
  for (const part of live.querySelectorAll('details[open]')) next.querySelector(`#${part.id}`)?.setAttribute('open', '')
  live.replaceChildren(...next.childNodes)
  if (!focusId) return
  // A button may be gone after its use. Then its row, or else the message line, gets the focus.
  const target = document.getElementById(focusId) ?? (rowId ? document.getElementById(rowId) : null) ?? message
  target.focus({ preventScroll: true })
}

async function send(form, button) {
  const fields = new URLSearchParams()
  if (button?.name) fields.set(button.name, button.value)
  button?.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(form.action, { method: 'POST', body: fields, redirect: 'manual' })
    const ok = answer.type === 'opaqueredirect' || answer.ok
    message.textContent = ok ? `Done. ${button?.dataset.done ?? ''}` : await reasonOf(answer)
    message.classList.toggle('trouble', !ok)
  } catch {
    message.textContent = 'The sandbox did not answer. Look whether it was done before you repeat it.'
    message.classList.add('trouble')
  }
  button?.removeAttribute('aria-busy')
  await refreshQuietly()
}

async function reasonOf(answer) {
  const body = await answer.json().catch(() => ({}))
  return body.message ?? `The sandbox answered ${answer.status}.`
}

async function refreshQuietly() {
  try {
    await refresh()
    document.body.classList.remove('lost')
  } catch {
    document.body.classList.add('lost')
  }
}

document.addEventListener('submit', event => {
  event.preventDefault()
  send(event.target, event.submitter)
})

async function loop() {
  if (!document.hidden) await refreshQuietly()
  setTimeout(loop, REFRESH_MS)
}
loop()
