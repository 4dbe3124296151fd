import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { type BackendFactory, createRedisBackend, type IQueueBackend } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { type ConnectionUse, pausingAfterErrors, type QueueStore, RETRY_AFTER_MS } from './queue-store.js'

/** Every key begins with this, so that a Redis can have other users, too. */
const PREFIX = 'holdfast:timers'

/** The only `maxmemory-policy` with which Redis drops no job when its memory is full. */
const NO_EVICTION = 'noeviction'

/** How long `open` waits for the first answer. */
const OPEN_WITHIN_MS = 3_000
/** The policy is read at every connection, and this often, since it can be changed while Redis runs. */
const CHECK_EVERY_MS = 10_000

/** A command that adds a job, and an attempt to connect, may take this long. */
const ANSWER_WITHIN_MS = 2_000
/** A connection on which an answer has been due for so long is made anew. */
const ADDING_SILENT_MS = 5_000
/** A worker lets Redis wait up to 10 s for the next job. */
const RUNNING_SILENT_MS = 12_000

const CONNECTION: RedisOptions = {
  connectTimeout: ANSWER_WITHIN_MS,
  retryStrategy: () => RETRY_AFTER_MS,
  // The server has become a replica. The name may lead to its successor now.
  reconnectOnError: error => error.message.startsWith('READONLY'),
}

/** Adding a job fails at once while Redis is away, so that nothing waits for it and nothing piles up. */
const ADDING: RedisOptions = {
  ...CONNECTION,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  commandTimeout: ANSWER_WITHIN_MS,
  socketTimeout: ADDING_SILENT_MS,
}

/** A worker waits for as long as Redis is away: BullMQ requires `null`. */
const RUNNING: RedisOptions = { ...CONNECTION, maxRetriesPerRequest: null, socketTimeout: RUNNING_SILENT_MS }

export interface RedisStoreOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string
  /** Whether a Redis that may evict keys is refused. Otherwise it is used, with a warning. */
  readonly refusesEviction: boolean
}

/** Keeps the jobs in Redis. While Redis is away, or is refused, no job is added, and the sweeper fires the deadlines. */
export class RedisStore implements QueueStore {
  readonly closesAtOnce = true
  private readonly logger = loggerOf('timers-redis')
  private readonly gauge = gauge(
    'timers_queue_usable',
    'Whether the alarms of deadlines can be set: 0 while Redis is away or is refused',
  )
  private readonly adding: Redis
  private readonly running: Redis
  private readonly checking: NodeJS.Timeout
  private readonly firstOutcome: Promise<void>
  private resolveFirst: () => void = () => undefined
  private state: 'unknown' | 'away' | 'refused' | 'usable' = 'unknown'
  private policy: string | undefined
  private lastError: Error | undefined
  private closed = false

  constructor(private readonly options: RedisStoreOptions) {
    this.gauge.set(0)
    this.firstOutcome = new Promise(resolve => {
      this.resolveFirst = resolve
    })
    this.adding = new Redis(options.url, ADDING)
    this.running = new Redis(options.url, RUNNING)
    // A failed connection is an error every half second. `become` logs once what they mean.
    this.adding.on('error', (error: Error) => {
      this.lastError = error
    })
    this.running.on('error', () => undefined)
    this.adding.on('ready', () => void this.check())
    this.adding.on('close', () => this.become('away'))
    this.checking = setInterval(() => void this.check(), CHECK_EVERY_MS)
  }

  readonly createBackend: BackendFactory<IQueueBackend, ConnectionUse> = (name, opts, extra) => {
    const isAdding = opts.connection === 'adding jobs'
    const connection = isAdding ? this.adding : this.running
    // BullMQ asks for the version once. If that fails, it refuses every later call: it may not be asked where commands time out.
    // The worker needs the version: to an old Redis it can give only whole seconds.
    const options = { ...opts, connection, prefix: PREFIX, skipVersionCheck: isAdding }
    return pausingAfterErrors(createRedisBackend(name, options, extra))
  }

  get usable(): boolean {
    return this.state === 'usable'
  }

  async open(): Promise<void> {
    await isDoneWithin(OPEN_WITHIN_MS, this.firstOutcome)
    if (this.state === 'refused')
      throw new Error(
        `REDIS_URL leads to a Redis that may evict keys (maxmemory-policy ${this.policy}): set it to ${NO_EVICTION}`,
      )
  }

  disconnect(): void {
    this.closed = true
    clearInterval(this.checking)
    this.state = 'away'
    this.adding.disconnect()
    this.running.disconnect()
  }

  /** Reads the policy. This also notices a Redis that accepts connections and does not answer. */
  private async check(): Promise<void> {
    if (this.adding.status !== 'ready') return
    try {
      const memory = await this.adding.info('memory')
      this.policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1]
      // Some hosts do not tell the policy. A job is only an alarm, so such a Redis is used.
      const mayEvict = this.policy !== undefined && this.policy !== NO_EVICTION
      this.become(mayEvict && this.options.refusesEviction ? 'refused' : 'usable')
    } catch (error) {
      this.lastError = error as Error
      this.become('away')
    }
  }

  /** Logs a change once. */
  private become(state: 'away' | 'refused' | 'usable'): void {
    if (this.closed) return
    const changed = state !== this.state
    this.state = state
    this.gauge.set(this.usable ? 1 : 0)
    this.resolveFirst()
    if (!changed) return
    const { policy, lastError: err } = this
    if (state === 'away') this.logger.warn({ err }, 'Redis is away; deadlines fire a few seconds late until it answers')
    else if (state === 'refused')
      this.logger.error({ policy }, 'Redis may evict keys, so it gets no alarms; deadlines fire a few seconds late')
    else if (policy === undefined)
      this.logger.warn('Redis does not tell its maxmemory-policy; check where it is hosted that it is noeviction')
    else if (policy !== NO_EVICTION)
      this.logger.warn({ policy }, 'Redis may evict keys; production refuses it unless it has noeviction')
    else this.logger.info('Redis takes the alarms of deadlines')
  }
}
