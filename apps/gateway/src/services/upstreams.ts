import { MAX_BATCHED_REQUESTS } from '@holdfast/contracts/batches'
import { urlVariableOf } from '@holdfast/contracts/topology'
import { isWebhook } from '@holdfast/contracts/webhooks'
import { ReplicaPool } from '@holdfast/http-client/replica-pool'
import { RequestBatches } from '@holdfast/http-client/request-batches'
import { poolOptions } from '@holdfast/http-client/send-undici'
import type { ActorKeys } from '@holdfast/service-kit/auth/actor-keys'
import { ServiceClient } from '@holdfast/service-kit/http/service-client'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { counter, histogram } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import { type GatewayConfig, UPSTREAMS, type UpstreamName } from '../config.js'

/** The most exchanges with one service that run or wait for a connection. Further ones are refused at once. */
export const MAX_EXCHANGES_PER_SERVICE = 1_024
/** Further ones that only webhooks may begin: they report money that has moved, and their senders wait long before they repeat one. */
export const RESERVED_FOR_WEBHOOKS = 256
/** How long an exchange may wait for a connection. Nothing of it was sent then, so its outcome is known. */
export const CONNECTION_WAIT_MS = 5_000
const SWEEP_MS = 500

const batchSizes = histogram(
  'gateway_batch_requests',
  'Requests that shared one exchange with a service',
  ['service'],
  [2, 4, 8, 16, 32, MAX_BATCHED_REQUESTS],
)

const batchWaits = histogram(
  'gateway_batch_wait_seconds',
  'How long the first request of an exchange has waited for it',
  ['service'],
)

const shed = counter('gateway_requests_shed_total', 'Requests that were refused because too many were under way', [
  'service',
])

/** An exchange that waits for a connection. */
interface Waiting {
  readonly queuedAtMs: number
  /** Called when it has waited too long. */
  giveUp(): void
}

/** One service behind the gateway: its connections, and how many exchanges use or wait for them. */
export class Upstream {
  /** Makes the gateway's own calls, and signs forwarded ones. */
  readonly client: ServiceClient
  /** The connections for forwarding. They never retry, because an exchange decides what may be sent again. */
  readonly pool: ReplicaPool
  /** Requests for routes that are declared as batched. */
  readonly batches: RequestBatches
  private readonly waiting = new Set<Waiting>()
  underWay = 0

  constructor(
    readonly service: UpstreamName,
    origin: string,
    keys: ActorKeys,
    answerTimeoutMs?: number,
  ) {
    this.client = new ServiceClient({ caller: 'gateway', callee: service, origin, keys })
    // An answer may have any length, because a long one is streamed: `UnreadAnswers` limits what of it is in memory.
    this.pool = new ReplicaPool(origin, poolOptions(answerTimeoutMs))
    this.batches = new RequestBatches({
      pool: this.pool,
      connectionWaitMs: CONNECTION_WAIT_MS,
      headersFor: body => this.client.headersForBatch(body),
      onSend: (size, waitedMs) => {
        batchSizes.observe({ service }, size)
        batchWaits.observe({ service }, waitedMs / 1000)
      },
    })
  }

  /** Whether a request is refused, because as many as may be are under way. */
  refuses(request: { readonly path: string }): boolean {
    const max = isWebhook(request) ? MAX_EXCHANGES_PER_SERVICE + RESERVED_FOR_WEBHOOKS : MAX_EXCHANGES_PER_SERVICE
    if (this.underWay < max) return false
    shed.inc({ service: this.service })
    return true
  }

  /** Adds an exchange that found no free connection. */
  queue(exchange: Waiting): void {
    this.waiting.add(exchange)
  }

  /** Removes an exchange that got a connection or has ended. */
  unqueue(exchange: Waiting): void {
    this.waiting.delete(exchange)
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.close(), this.client.close()])
  }

  /** Ends the exchanges that have waited too long. A Set keeps its order, so the oldest come first. */
  sweep(nowMs: number): void {
    for (const exchange of this.waiting) {
      if (nowMs - exchange.queuedAtMs < CONNECTION_WAIT_MS) return
      this.waiting.delete(exchange)
      exchange.giveUp()
    }
  }
}

/** Every service behind the gateway. */
@Injectable()
export class Upstreams implements OnApplicationShutdown {
  private readonly byName: Readonly<Record<UpstreamName, Upstream>>
  private readonly sweeper: NodeJS.Timeout

  constructor(@Inject(CONFIG) config: GatewayConfig) {
    const upstream = (name: UpstreamName) => new Upstream(name, config[urlVariableOf(name)], config.ACTOR_KEYS)
    this.byName = Object.fromEntries(UPSTREAMS.map(name => [name, upstream(name)])) as Record<UpstreamName, Upstream>
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS)
    this.sweeper.unref()
  }

  get(name: UpstreamName): Upstream {
    return this.byName[name]
  }

  all(): Upstream[] {
    return Object.values(this.byName)
  }

  /** Waits for running exchanges, then closes the connections. Nest calls it when no more requests are accepted. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.sweeper)
    await Promise.all(this.all().map(upstream => upstream.close()))
  }

  private sweep(): void {
    const nowMs = performance.now()
    for (const upstream of this.all()) upstream.sweep(nowMs)
  }
}
