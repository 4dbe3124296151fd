import { messageRoutes } from '@holdfast/contracts/messages'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import { ApiError } from '@holdfast/http-client/api-error'
import type { FastifyRequest } from 'fastify'
import type { ServiceCalls } from '../services/service-calls.js'

/** Routes whose service gets deals by event, so it may answer 404 for a deal that was opened a moment ago. */
const ROUTES_BEHIND_EVENTS: ReadonlySet<RouteDefinition> = new Set([
  messageRoutes.listMessages,
  messageRoutes.postMessage,
])

/**
 * Makes a function that asks escrow-svc whether the deal of a request exists, on behalf of the request's user.
 *
 * @returns null for a route whose service always knows which deals exist
 * @throws the returned function rejects when escrow-svc gives no answer
 */
export function dealExistenceCheck(
  route: RouteDefinition,
  calls: ServiceCalls,
): ((request: FastifyRequest) => Promise<boolean>) | null {
  if (!ROUTES_BEHIND_EVENTS.has(route)) return null
  return async request => {
    const { actor, clientIp } = request.caller!
    const { id } = request.params as { id: string }
    const input = { params: { id } }
    try {
      await calls.call('escrow-svc', transactionInternalRoutes.getTransactionRecord, input, { actor, clientIp })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    }
  }
}
