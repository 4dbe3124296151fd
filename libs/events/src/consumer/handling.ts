import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { type Delivery, type DeliveryHandler, HANDLER_TIMEOUT_MS } from '../transport.js'

const MAX_ERROR_LENGTH = 4_000

/** Hands a delivery to its handler. One that takes too long has failed, even if it still goes on. */
export async function handleInTime(handler: DeliveryHandler, delivery: Delivery): Promise<void> {
  if (!(await isDoneWithin(HANDLER_TIMEOUT_MS, handler(delivery))))
    throw new Error(`not handled within ${HANDLER_TIMEOUT_MS} ms`)
}

/** What an operator reads beside a dead letter. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : (JSON.stringify(error) ?? String(error))
  return text.slice(0, MAX_ERROR_LENGTH)
}
