import { BASE_URL } from '../support/environment.js'

/** Asks for a person's live events. A stream does not end, so the answer of one that begins has no text. */
export async function askStream({ cookie }) {
  const abort = new AbortController()
  const headers = { accept: 'text/event-stream', ...(cookie ? { cookie } : {}) }
  const response = await fetch(`${BASE_URL}/api/events`, { headers, signal: abort.signal })
  const text = response.status === 200 ? '' : await response.text()
  abort.abort()
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : null }
}
