import { batchRoute } from '@holdfast/contracts/batches'
import type { ServiceName } from '@holdfast/contracts/route'
import type { Send } from '@holdfast/http-client/call'
import { sendUndici, servicePool } from '@holdfast/http-client/send-undici'
import type { Dispatcher } from 'undici'
import { ACTOR_HEADER, type Actor, signActor } from '../auth/actor.js'
import type { ActorKeys } from '../auth/actor-keys.js'
import { contentOf } from '../auth/signed-content.js'
import { currentRequestId } from '../telemetry/logging.js'
import { currentTraceparent, type Span, SpanKind, startSpan, withSpan } from '../telemetry/telemetry.js'

export interface ServiceClientOptions {
  readonly caller: ServiceName
  readonly callee: ServiceName
  /** The callee's address, such as ESCROW_URL. */
  readonly origin: string
  readonly keys: ActorKeys
}

/** The actor and the client address of one call. */
export interface OnBehalf {
  readonly actor: Actor | null
  readonly clientIp?: string | null
}

/** A request as it will be sent. */
export interface RequestToSign {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string | null
}

/** Makes signed calls to another service, with the request's id and trace. A process has one for each callee. */
export class ServiceClient {
  readonly #options: ServiceClientOptions
  /** The pool, for forwarding bytes; sign such requests with `headersFor`. */
  readonly pool: Dispatcher

  constructor(options: ServiceClientOptions) {
    this.#options = options
    this.pool = servicePool(options.origin)
  }

  /**
   * A `send` for `call`: `call(route, input, escrow.as({ actor }))`. Without an actor the service acts by itself.
   *
   * @param onReplicaHangs called when the replica that got a request hangs, and another one answers
   */
  as(onBehalf?: OnBehalf, onReplicaHangs?: () => void): Send {
    const send = sendUndici(this.pool, onReplicaHangs)
    return async request =>
      withSpan(this.startSpan(request.method), () => {
        const headers = { ...request.headers, ...this.headersFor(request, onBehalf) }
        return send({ ...request, headers })
      })
  }

  /** Begins the span of a call. @returns null when no span is active */
  startSpan(method: string): Span | null {
    const attributes = { 'http.request.method': method, 'server.address': this.#options.callee }
    return startSpan(`${method} ${this.#options.callee}`, { kind: SpanKind.CLIENT, attributes })
  }

  /** The headers that sign one request. */
  headersFor(request: RequestToSign, onBehalf?: OnBehalf, requestId = currentRequestId()): Record<string, string> {
    const { caller } = this.#options
    const actor = onBehalf ? onBehalf.actor : ({ kind: 'service', name: caller } as const)
    const traceparent = currentTraceparent()
    return {
      [ACTOR_HEADER]: this.#sign(request, { actor, clientIp: onBehalf?.clientIp ?? null }),
      ...(requestId ? { 'x-request-id': requestId } : {}),
      ...(traceparent ? { traceparent } : {}),
    }
  }

  /** The headers that sign a batch of requests. The body names the actor of each request. */
  headersForBatch(body: Buffer): Record<string, string> {
    const actor = { kind: 'service', name: this.#options.caller } as const
    return { [ACTOR_HEADER]: this.#sign({ ...batchRoute, headers: {}, body }, { actor, clientIp: null }) }
  }

  #sign(
    { method, path, headers, body }: RequestToSign,
    from: { actor: Actor | null; clientIp: string | null },
  ): string {
    const { caller, callee, keys } = this.#options
    return signActor({ caller, ...from }, contentOf(headers, body), { keys, callee, method, path, now: new Date() })
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}
