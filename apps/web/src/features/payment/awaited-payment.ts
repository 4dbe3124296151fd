/**
 * The payments that this browser has confirmed and that the server has not confirmed yet. The list survives a reload and the way to the
 * bank and back; where storage is forbidden it lasts as long as the page.
 */
import { browserStore, orUndefined } from '../../lib/browser-store.js'

const nameOf = (transactionId: number) => `holdfast:awaited:${transactionId}`
const memory = new Set<number>()

export function startAwaiting(transactionId: number): void {
  memory.add(transactionId)
  orUndefined(() => browserStore()?.setItem(nameOf(transactionId), '1'))
}

export function isAwaited(transactionId: number): boolean {
  return memory.has(transactionId) || Boolean(orUndefined(() => browserStore()?.getItem(nameOf(transactionId))))
}

export function stopAwaiting(transactionId: number): void {
  memory.delete(transactionId)
  orUndefined(() => browserStore()?.removeItem(nameOf(transactionId)))
}
