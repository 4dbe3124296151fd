import { batchRoute } from '@holdfast/contracts/batches'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { isWebhook } from '@holdfast/contracts/webhooks'
import { DomainError } from '@holdfast/kernel/errors'
import type { RouteHandlerMethod } from 'fastify'
import { counter, gauge } from '../telemetry/metrics.js'

const RETRY_AFTER_SECONDS = [1, 2, 3] as const
let refusals = 0

/**
 * The refusal of a request because too many are under way: a 503 with `Retry-After`. Nothing was done. Clients that are refused at the
 * same time are told to come back at different times, so that they do not all return at once.
 */
export const overloaded = (): DomainError =>
  new DomainError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS[refusals++ % RETRY_AFTER_SECONDS.length]! })

const shed = counter('http_requests_shed_total', 'Requests that were refused because too many were under way', [
  'route',
])

/**
 * The requests whose handlers have begun and not ended. A request beyond the limit is refused at once, before its handler begins:
 * its caller would have given up before its turn came, and its work would delay the others.
 *
 * Webhooks are counted and never refused, because they report money that has moved, and their senders wait long before they repeat one.
 * Health checks have no route definition, so they are not counted.
 */
export class RequestsUnderWay {
  #count = 0

  constructor(private readonly max: number) {
    gauge('http_requests_under_way', 'Requests whose handlers have begun and not ended', [], gauge =>
      gauge.set(this.#count),
    )
  }

  /** Makes a route's handler keep to the limit: for a request beyond it, it throws `overloaded()`. */
  limited(route: RouteDefinition, handler: RouteHandlerMethod): RouteHandlerMethod {
    // The requests of a batch are counted one by one.
    if (route === batchRoute) return handler
    const mayBeRefused = !isWebhook(route)
    const underWay = this
    return async function (request, reply) {
      if (mayBeRefused && underWay.#count >= underWay.max) throw underWay.#refusal(route)
      underWay.#count++
      try {
        return await handler.call(this, request, reply)
      } finally {
        underWay.#count--
      }
    }
  }

  #refusal({ method, path }: RouteDefinition): DomainError {
    shed.inc({ route: `${method} ${path}` })
    return overloaded()
  }
}
