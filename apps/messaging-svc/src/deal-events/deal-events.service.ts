import type { EventEnvelope } from '@holdfast/contracts/events'
import { eachEventOnce } from '@holdfast/events/inbox/inbox'
import { OutboxRelay } from '@holdfast/events/outbox/relay'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { createPool } from '@holdfast/service-kit/database/database'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { Pool } from 'pg'
import type { MessagingConfig } from '../config.js'
import type { Deal, DealEventName } from './deal-texts.js'
import { TELL, type Telling, tellingOf } from './tell-statement.js'
import { told } from './told.js'

/** One statement is out at a time: while it is, company gathers for the next. */
const POOL_SIZE = 1

/** Tells the parties of a deal what happens to it. */
@Injectable()
export class DealEventsService implements OnApplicationShutdown {
  readonly #pool: Pool
  readonly #tell = batchCalls((tellings: readonly Telling[]) => this.#write(tellings))

  constructor(
    private readonly relay: OutboxRelay,
    private readonly clock: Clock,
    @Inject(CONFIG) config: MessagingConfig,
  ) {
    this.#pool = createPool(config.DATABASE_URL, { schema: 'messaging', max: POOL_SIZE, forceGenericPlan: true })
  }

  /**
   * Writes the system's message into the chat, notifies whoever did not act, and learns who the parties are; once,
   * however often the event is delivered.
   */
  tell<N extends DealEventName>(name: N, deal: Deal<N>, event: EventEnvelope): Promise<void> {
    return this.#tell(tellingOf(event.id, deal, told(name, deal), this.clock.now()))
  }

  async #write(tellings: readonly Telling[]): Promise<void> {
    await this.#pool.query({ name: TELL.name, text: TELL.text, values: TELL.values(eachEventOnce(tellings)) })
    this.relay.kick()
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#pool.end()
  }
}
