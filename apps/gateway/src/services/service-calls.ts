import { type Input, isRepeatable, type Output, type RouteDefinition } from '@holdfast/contracts/route'
import { ConnectionError } from '@holdfast/http-client/api-error'
import { call } from '@holdfast/http-client/call'
import { hedged, repeated } from '@holdfast/http-client/hedged'
import type { Actor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import type { UpstreamName } from '../config.js'
import { Upstreams } from './upstreams.js'

/** How long one call to a service may take. */
const CALL_TIMEOUT_MS = 15_000

/** The actor and the options of a call. A handler's `ctx` can be passed. Without `actor` the gateway calls for itself. */
export interface CallContext {
  readonly actor?: Actor | null
  readonly clientIp?: string | null
  readonly idempotencyKey?: string | null
  /** The user's browser. It is stored with the user's signature. */
  readonly userAgent?: string | null
  readonly timeoutMs?: number
  /** Set for a POST that changes nothing: it is sent again when the connection fails, or when there is no answer for a while. */
  readonly isRead?: boolean
}

/** The gateway's own calls to services: signed, with the id of the client's request, and with a time limit. */
@Injectable()
export class ServiceCalls {
  constructor(private readonly upstreams: Upstreams) {}

  /**
   * Calls a route of a service and returns its answer.
   *
   * @throws ApiError when the service refuses; ConnectionError when it does not answer within `timeoutMs`
   */
  async call<R extends RouteDefinition>(
    service: UpstreamName,
    route: R,
    input: Input<R>,
    context: CallContext = {},
  ): Promise<Output<R>> {
    const { actor, clientIp = null, idempotencyKey, userAgent, timeoutMs = CALL_TIMEOUT_MS } = context
    const { client } = this.upstreams.get(service)
    const onBehalf = actor === undefined ? undefined : { actor, clientIp }
    const headers = {
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(userAgent ? { 'user-agent': userAgent } : {}),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const once = (onReplicaHangs?: () => void) =>
      call(route, input, client.as(onBehalf, onReplicaHangs), { headers, signal })
    try {
      if (context.isRead || route.method === 'GET') return await hedged(once, signal)
      return await (isRepeatable(route, idempotencyKey ?? undefined) ? repeated(once, signal) : once())
    } catch (error) {
      if (!signal.aborted) throw error
      throw new ConnectionError(`${service} did not answer ${route.method} ${route.path} in time`, { cause: error })
    }
  }
}
