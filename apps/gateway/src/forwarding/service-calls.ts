import type { Input, Output, RouteDefinition } from '@holdfast/contracts/route'
import { ConnectionError } from '@holdfast/http-client/api-error'
import { call } from '@holdfast/http-client/call'
import type { Actor } from '@holdfast/service-kit/auth/actor'
import { Injectable } from '@nestjs/common'
import type { UpstreamName } from '../config.js'
import { Upstreams } from './upstreams.js'

/** How long a call that is joined with others may take. The slowest of them is what somebody waits for. */
export const CALL_TIMEOUT_MS = 15_000

/** For whom a call is made, and how. A handler's `ctx` is one. Without an actor it is the gateway itself that asks. */
export interface CallContext {
  readonly actor?: Actor | null
  readonly clientIp?: string | null
  readonly idempotencyKey?: string | null
  /** What the person uses: what they sign is kept with it. */
  readonly userAgent?: string | null
  readonly timeoutMs?: number
  /** It changes nothing though it is a POST, so it may be sent again when the connection fails. */
  readonly isQuestion?: boolean
}

/** Calls of the gateway itself, for what it joins: signed, with the id of the request they belong to, and with an end. */
@Injectable()
export class ServiceCalls {
  constructor(private readonly upstreams: Upstreams) {}

  /**
   * Calls a route of a service and answers what it answers.
   *
   * @throws ApiError when the service refuses; ConnectionError when it gives no answer, or none in time
   */
  async call<R extends RouteDefinition>(
    service: UpstreamName,
    route: R,
    input: Input<R>,
    context: CallContext = {},
  ): Promise<Output<R>> {
    const { actor, clientIp = null, idempotencyKey, userAgent, timeoutMs = CALL_TIMEOUT_MS } = context
    const send = this.upstreams.get(service).client.as(actor === undefined ? undefined : { actor, clientIp })
    const headers = {
      ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
      ...(userAgent ? { 'user-agent': userAgent } : {}),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const once = () => call(route, input, send, { headers, signal })
    try {
      return await (context.isQuestion ? onceMore(once, signal) : once())
    } catch (error) {
      if (!signal.aborted) throw error
      throw new ConnectionError(`${service} did not answer ${route.method} ${route.path} in time`, { cause: error })
    }
  }
}

/** A connection that was kept open may have been closed at the other end meanwhile: a new one is worth a try. */
async function onceMore<T>(once: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await once()
  } catch (error) {
    if (signal.aborted || !(error instanceof ConnectionError)) throw error
    return once()
  }
}
