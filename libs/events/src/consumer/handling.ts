import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { type Delivery, type DeliveryHandler, HANDLER_TIMEOUT_MS } from '../transport.js'

const MAX_ERROR_LENGTH = 4_000

/** Calls the handler of a delivery. A handler that takes too long counts as failed, even if it still runs. */
export async function handleInTime(handler: DeliveryHandler, delivery: Delivery): Promise<void> {
  if (!(await isDoneWithin(HANDLER_TIMEOUT_MS, handler(delivery))))
    throw new Error(`not handled within ${HANDLER_TIMEOUT_MS} ms`)
}

/** The error text that is stored with a dead letter. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : (JSON.stringify(error) ?? String(error))
  return text.slice(0, MAX_ERROR_LENGTH)
}
