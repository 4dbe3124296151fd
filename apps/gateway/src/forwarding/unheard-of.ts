import { messageRoutes } from '@holdfast/contracts/messages'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-routes'
import { ApiError } from '@holdfast/http-client/api-error'
import type { FastifyRequest } from 'fastify'
import type { ServiceCalls } from './service-calls.js'

/** Routes of services that learn of a deal by event, and so may not have heard of one that exists. */
const BY_HEARSAY: ReadonlySet<RouteDefinition> = new Set([messageRoutes.listMessages, messageRoutes.postMessage])

/**
 * How to find out whether a deal exists that a service answers 404 for; null for routes whose service knows by itself.
 *
 * @returns a question to escrow-svc on behalf of the same person; it throws when there is no answer
 */
export function existenceBehind(
  route: RouteDefinition,
  calls: ServiceCalls,
): ((request: FastifyRequest) => Promise<boolean>) | null {
  if (!BY_HEARSAY.has(route)) return null
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
