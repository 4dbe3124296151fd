import { setTimeout as sleep } from 'node:timers/promises'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import pg from 'pg'
import { connectionConfig, endClient } from '../connection.js'
import { reconnectDelay } from '../wakeup.js'
import { CHANNEL } from './log-statements.js'

/** How often readers look even when nothing was announced: an announcement can be lost with its connection. */
export const POLL_MS = 1_000

/** One LISTEN connection per process. Hears of new events, and comes back when it is cut off. */
export class LogListener {
  private readonly logger = loggerOf('events-listener')
  private readonly hearers = new Set<(word: string | null) => void>()
  private client: pg.Client | undefined
  private stopped = true

  constructor(
    private readonly databaseUrl: string,
    private readonly name: string,
  ) {}

  /** Resolves at the first connection, or the first failure of one: it then goes on trying by itself. */
  async start(): Promise<void> {
    this.stopped = false
    await this.connect(0)
  }

  /** `hear` gets a topic, `replay:<group>`, or null when anything may have been missed. Returns how to stop hearing. */
  hear(hear: (word: string | null) => void): () => void {
    this.hearers.add(hear)
    return () => this.hearers.delete(hear)
  }

  async stop(): Promise<void> {
    this.stopped = true
    const client = this.client
    this.client = undefined
    await endClient(client)
  }

  private async connect(failures: number): Promise<void> {
    const client = new pg.Client(connectionConfig(this.databaseUrl, `${this.name}-listen`))
    // The first of the two to come starts the one attempt to reconnect.
    const lost = (): void => {
      if (this.client !== client) return
      this.client = undefined
      void this.reconnect(0)
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', message => this.tell(message.payload ?? null))
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      this.logger.warn({ err: error }, 'cannot listen for events; polling meanwhile')
      await endClient(client)
      void this.reconnect(failures + 1)
      return
    }
    this.client = client
    if (this.stopped) return this.stop()
    this.tell(null)
  }

  private async reconnect(failures: number): Promise<void> {
    await sleep(reconnectDelay(failures))
    if (!this.stopped) await this.connect(failures)
  }

  private tell(word: string | null): void {
    for (const hear of this.hearers) hear(word)
  }
}
