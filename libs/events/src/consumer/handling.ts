import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { type Delivery, type DeliveryHandler, HANDLER_TIMEOUT_MS } from '../transport.js'

const MAX_ERROR_LENGTH = 4_000

/** A handler took longer than `HANDLER_TIMEOUT_MS`, such as one that waits for a database that hangs. */
export class HandlerTimeoutError extends Error {
  override readonly name = 'HandlerTimeoutError'
}

/**
 * Calls the handler of a delivery. A handler that takes too long counts as failed, even if it still runs.
 *
 * @throws HandlerTimeoutError when it takes too long
 */
export async function handleInTime(handler: DeliveryHandler, delivery: Delivery): Promise<void> {
  if (!(await isDoneWithin(HANDLER_TIMEOUT_MS, handler(delivery))))
    throw new HandlerTimeoutError(`not handled within ${HANDLER_TIMEOUT_MS} ms`)
}

/** The error text that is stored with a dead letter. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : (JSON.stringify(error) ?? String(error))
  return text.slice(0, MAX_ERROR_LENGTH)
}
