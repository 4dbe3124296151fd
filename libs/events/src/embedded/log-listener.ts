import { setTimeout as sleep } from 'node:timers/promises'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import pg from 'pg'
import { connectionConfig, endClient } from '../connection.js'
import { isWorthLogging, reconnectDelay } from '../wakeup.js'
import { CHANNEL } from './log-statements.js'

/** How often readers poll without a notification, because a notification is lost when its connection breaks. */
export const POLL_MS = 1_000

/** One LISTEN connection per process. It receives the notifications of new events, and reconnects when it is lost. */
export class LogListener {
  private readonly logger = loggerOf('events-listener')
  private readonly listeners = new Set<(payload: string | null) => void>()
  private client: pg.Client | undefined
  private stopped = true

  constructor(
    private readonly databaseUrl: string,
    private readonly name: string,
  ) {}

  /** Resolves after the first attempt to connect. When that fails, further attempts follow in the background. */
  async start(): Promise<void> {
    this.stopped = false
    await this.connect(0)
  }

  /**
   * @param listener gets the payload of a notification (`CHANNEL`), or null when notifications may have been lost
   * @returns a function that stops it
   */
  add(listener: (payload: string | null) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  async stop(): Promise<void> {
    this.stopped = true
    const client = this.client
    this.client = undefined
    await endClient(client)
  }

  private async connect(failures: number): Promise<void> {
    const client = new pg.Client(connectionConfig(this.databaseUrl, `${this.name}-listen`))
    // `error` and `end` both occur; the first of them starts the one attempt to reconnect.
    const lost = (error?: Error): void => {
      if (this.client !== client) return
      this.client = undefined
      this.logger.warn({ err: error }, 'the connection that listens for events was lost; polling meanwhile')
      void this.reconnect(0)
    }
    client.on('error', lost)
    client.on('end', () => lost())
    client.on('notification', message => this.notify(message.payload ?? null))
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      if (isWorthLogging(failures)) this.logger.warn({ err: error }, 'cannot listen for events; polling meanwhile')
      await endClient(client)
      void this.reconnect(failures + 1)
      return
    }
    this.client = client
    if (this.stopped) return this.stop()
    this.notify(null)
  }

  private async reconnect(failures: number): Promise<void> {
    await sleep(reconnectDelay(failures))
    if (!this.stopped) await this.connect(failures)
  }

  private notify(payload: string | null): void {
    for (const listener of this.listeners) listener(payload)
  }
}
