import { randomBytes } from 'node:crypto'
import { EVENTS, type EventEnvelope } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import type { DealStatus } from '@holdfast/kernel/deals'
import { publishAs } from '@holdfast/testing/event-log'
import { ScratchService, type Started, startOnScratch } from '@holdfast/testing/scratch-service'
import { ScratchStorage } from '@holdfast/testing/scratch-storage'
import { userActor } from '@holdfast/testing/signed-client'
import { loadMessagingConfig } from '../src/config.js'
import type { Deal, DealEventName } from '../src/deal-events/deal-texts.js'
import { plan } from '../src/migrations/plan.js'
import { messagingService } from '../src/service.js'

export const MASTER_KEY = `2026-01:${randomBytes(32).toString('base64url')}`

let deals = 0

/** A started service, and the calls of the gateway. */
export class RunningMessaging extends ScratchService {
  static async start(): Promise<RunningMessaging> {
    const storage = await ScratchStorage.make()
    const service = (env: NodeJS.ProcessEnv) =>
      messagingService(loadMessagingConfig({ ...env, ...storage.environment, ENCRYPTION_KEYS: MASTER_KEY }))
    return new RunningMessaging(await startOnScratch({ plan, callers: ['gateway'], service }), storage)
  }

  private constructor(
    started: Started,
    readonly storage: ScratchStorage,
  ) {
    super(started)
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.storage.remove()
  }

  publish(...events: readonly EventEnvelope[]): Promise<void> {
    return publishAs('escrow-svc', this.database, ...events)
  }
}

/** A new deal with two parties, and its events. */
export class TestDeal {
  readonly id = ++deals
  readonly buyer = userActor()
  readonly seller = userActor()
  readonly messagesPath = `/api/transactions/${this.id}/messages`

  event<N extends DealEventName>(
    name: N,
    more: Omit<Deal<N>, keyof Deal<'transactionDelivered'>>,
    {
      actor = 'provider',
      at = new Date(),
      status = 'pending',
    }: { actor?: string; at?: Date; status?: DealStatus } = {},
  ): EventEnvelope {
    const facts = {
      transactionId: this.id,
      listingId: 1,
      buyerId: this.buyer.id,
      sellerId: this.seller.id,
      title: 'Camera',
      amount: '100.00',
      currency: 'USD',
      status,
      at: at.toISOString(),
      actor,
    }
    return newEvent(EVENTS[name], this.id, { ...facts, ...more } as never, at)
  }

  opened(): EventEnvelope {
    return this.event(
      'transactionOpened',
      { openedBy: this.buyer.id, sellerAccepted: true },
      { actor: `user:${this.buyer.id}` },
    )
  }

  completed(): EventEnvelope {
    return this.event('transactionCompleted', { sellerNet: '97.00', isMutual: true }, { status: 'completed' })
  }

  paid(): EventEnvelope {
    return this.event('transactionPaid', { total: '107.00', sellerAccepted: true })
  }
}
