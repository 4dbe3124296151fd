import { EVENTS, type EventEnvelope } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/event'
import { EventsServer } from '@holdfast/events/server'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/actor'
import { type RunningService, startService } from '@holdfast/service-kit/service'
import { publishAs } from '@holdfast/testing/event-log'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { SignedClient, testActorKeys } from '@holdfast/testing/signed-client'
import { jest } from '@jest/globals'
import type { Deal, DealEventName } from '../src/deal-events/deal-texts.js'
import { plan } from '../src/migrations/plan.js'

// A busy machine takes its time, over password hashes most of all.
jest.setTimeout(60_000)

const KEYS = testActorKeys('messaging-svc', 'gateway')
let deals = 0

/** The service itself, on a database of its own, and its calls as the gateway makes them. */
export class RunningMessaging {
  private constructor(
    readonly database: ScratchDatabase,
    readonly client: SignedClient,
    private readonly service: RunningService,
  ) {}

  static async start(): Promise<RunningMessaging> {
    const database = await ScratchDatabase.make(plan)
    Object.assign(process.env, { NODE_ENV: 'test', PORT: '0', OPS_PORT: '0', ACTOR_KEYS: KEYS })
    const serverUrl = process.env.DATABASE_URL
    // The configuration is read when its module is: only now may the service's modules be loaded.
    process.env.DATABASE_URL = database.url(plan.role)
    const { AppModule } = await import('../src/app.module.js')
    const { config } = await import('../src/config.js')
    process.env.DATABASE_URL = serverUrl
    const service = await startService({
      name: 'messaging-svc',
      module: AppModule,
      config,
      strategies: app => [app.get(EventsServer)],
    })
    return new RunningMessaging(database, new SignedClient(service.port, 'messaging-svc', KEYS), service)
  }

  async stop(): Promise<void> {
    await this.service.close()
    await this.database.drop()
  }

  publish(...events: readonly EventEnvelope[]): Promise<void> {
    return publishAs('escrow-svc', this.database, ...events)
  }
}

export const userActor = (id: string = newId()): UserActor => ({
  kind: 'user',
  id,
  role: 'user',
  plan: 'standard',
  sessionId: newId(),
})

/** A deal that nobody else uses, with its two parties, and its events. */
export class TestDeal {
  readonly id = ++deals
  readonly buyer = userActor()
  readonly seller = userActor()
  readonly messagesPath = `/api/transactions/${this.id}/messages`

  event<N extends DealEventName>(
    name: N,
    more: Omit<Deal<N>, keyof Deal<'transactionDelivered'>>,
    { actor = 'provider', at = new Date() }: { actor?: string; at?: Date } = {},
  ): EventEnvelope {
    const facts = {
      transactionId: this.id,
      listingId: 1,
      buyerId: this.buyer.id,
      sellerId: this.seller.id,
      title: 'Camera',
      amount: '100.00',
      currency: 'USD',
      status: 'pending',
      at: at.toISOString(),
      actor,
    }
    return newEvent(EVENTS[name], this.id, { ...facts, ...more } as never, at)
  }

  opened(): EventEnvelope {
    return this.event('transactionOpened', { openedBy: this.buyer.id }, { actor: `user:${this.buyer.id}` })
  }

  paid(): EventEnvelope {
    return this.event('transactionPaid', { total: '107.00' })
  }
}
