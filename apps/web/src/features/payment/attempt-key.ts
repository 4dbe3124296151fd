/**
 * The idempotency key of an attempt to pay. One attempt keeps one key over retries, reloads and the way to the bank and
 * back, so that the server answers with the same payment; a declined card ends the attempt.
 */
import { browserStore, type KeyStore, orUndefined } from '../../lib/browser-store.js'

const nameOf = (transactionId: number, method: string) => `holdfast:pay:${transactionId}:${method}`

/** Where storage is forbidden the key lasts as long as the page. */
const memory = new Map<string, string>()

/** The key of the attempt under way, or a new one. */
export function attemptKey(transactionId: number, method: string, store: KeyStore | null = browserStore()): string {
  const name = nameOf(transactionId, method)
  const known = memory.get(name) ?? orUndefined(() => store?.getItem(name))
  if (known) return known
  const key = crypto.randomUUID()
  memory.set(name, key)
  orUndefined(() => store?.setItem(name, key))
  return key
}

/** Ends the attempt: the next one gets a key of its own. */
export function endAttempt(transactionId: number, method: string, store: KeyStore | null = browserStore()): void {
  const name = nameOf(transactionId, method)
  memory.delete(name)
  orUndefined(() => store?.removeItem(name))
}
