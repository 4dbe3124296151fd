import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { withBackend } from 'bullmq'
import type { Deadline } from './deadline.js'
import { createQueueBackend, RETRY_AFTER_MS } from './queue-backend.js'

/** Jobs that one process runs at the same time. */
const CONCURRENCY = 8

/** BullMQ's history of its jobs, which is not used. */
const KEPT_QUEUE_EVENTS = 100

const QUEUE_CONNECTIONS = 1
/** The worker listens with one of them. */
const WORKER_CONNECTIONS = 3
/** The most connections to the database that the timers of a service need. */
export const TIMER_CONNECTIONS = QUEUE_CONNECTIONS + WORKER_CONNECTIONS

const { Queue, Worker } = withBackend(createQueueBackend)

/** A job: which row to look at, and its due time when the job was made. */
interface Wakeup {
  readonly source: string
  readonly id: string
  readonly dueAt: number
}

export type OnWakeup = (source: string, deadline: Deadline) => void

/** BullMQ on PostgreSQL, with a delayed job for each deadline that is near. When jobs are lost, no deadline is lost. */
export class WakeupQueue {
  private readonly logger = loggerOf('timers-queue')
  private readonly queue: InstanceType<typeof Queue<Wakeup>>
  private readonly worker: InstanceType<typeof Worker<Wakeup>>

  /** @param name the service's name, which is also the queue's */
  constructor(databaseUrl: string, name: string, onWakeup: OnWakeup) {
    const connection = { databaseUrl, name: `${name}-timers` }
    this.queue = new Queue<Wakeup>(name, {
      connection: { ...connection, max: QUEUE_CONNECTIONS },
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
      streams: { events: { maxLen: KEPT_QUEUE_EVENTS } },
    })
    const wake = async ({ data }: { data: Wakeup }): Promise<void> =>
      onWakeup(data.source, { id: data.id, dueAt: new Date(data.dueAt) })
    this.worker = new Worker<Wakeup>(name, wake, {
      connection: { ...connection, max: WORKER_CONNECTIONS },
      autorun: false,
      concurrency: CONCURRENCY,
      runRetryDelay: RETRY_AFTER_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    // Without a listener an error would end the process. BullMQ reconnects, and the sweeper needs no queue.
    this.queue.on('error', error => this.logger.warn({ err: error }, 'the timers queue reports an error'))
    this.worker.on('error', error => this.logger.warn({ err: error }, 'the timers worker reports an error'))
  }

  /** Starts the worker. It waits in the background for a database that is unreachable. */
  start(): void {
    this.worker.run().catch((error: unknown) => this.logger.error({ err: error }, 'the timers worker ended'))
  }

  /** Sets the alarm for a deadline. An existing alarm stays unchanged. */
  async add(source: string, { id, dueAt }: Deadline): Promise<void> {
    const data = { source, id, dueAt: dueAt.getTime() }
    const delay = Math.max(0, dueAt.getTime() - Date.now())
    // One by one: BullMQ's bulk call makes temporary tables and sequences, for which a service has no right.
    await this.queue.add(source, data, { delay, jobId: `${source}-${id}-${data.dueAt}` })
  }

  /** Takes no new job and waits for those that are running. */
  async close(): Promise<void> {
    await this.worker.close()
    await this.queue.close()
  }
}
