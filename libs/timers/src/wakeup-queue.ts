import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { type Queue, type Worker, withBackend } from 'bullmq'
import type { Deadline } from './deadline.js'
import { type QueueStore, RETRY_AFTER_MS } from './queue-store.js'

/** Jobs that one process runs at the same time. */
const CONCURRENCY = 8

/** BullMQ's history of its jobs, which is not used. */
const KEPT_QUEUE_EVENTS = 100

/** A worker that fails does so every half second. One line in this time is enough. */
const REPORT_EVERY_MS = 10_000

/** A job: which row to look at, and its due time when the job was made. */
interface Wakeup {
  readonly source: string
  readonly id: string
  readonly dueAt: number
}

export type OnWakeup = (source: string, deadline: Deadline) => void

/** BullMQ, with a delayed job for each deadline that is near. When jobs are lost, no deadline is lost. */
export class WakeupQueue {
  private readonly logger = loggerOf('timers-queue')
  private readonly queue: Pick<Queue<Wakeup>, 'add' | 'close'>
  private readonly worker: Pick<Worker<Wakeup>, 'run' | 'close'>
  private reportedAtMs = Number.NEGATIVE_INFINITY

  /** @param name the service's name, which is also the queue's */
  constructor(
    private readonly store: QueueStore,
    name: string,
    onWakeup: OnWakeup,
  ) {
    const classes = withBackend(store.createBackend)
    const queue = new classes.Queue<Wakeup>(name, {
      connection: 'adding jobs',
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
      streams: { events: { maxLen: KEPT_QUEUE_EVENTS } },
    })
    const wake = async ({ data }: { data: Wakeup }): Promise<void> =>
      onWakeup(data.source, { id: data.id, dueAt: new Date(data.dueAt) })
    const worker = new classes.Worker<Wakeup>(name, wake, {
      connection: 'running jobs',
      autorun: false,
      concurrency: CONCURRENCY,
      runRetryDelay: RETRY_AFTER_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    })
    // Without a listener an error would end the process. BullMQ reconnects, and the sweeper needs no queue.
    queue.on('error', error => this.report(error))
    worker.on('error', error => this.report(error))
    this.queue = queue
    this.worker = worker
  }

  /** Whether an alarm can be set now. */
  get usable(): boolean {
    return this.store.usable
  }

  /**
   * Starts the worker. It waits in the background for a store that is unreachable.
   * @throws Error when the store must not be used
   */
  async start(): Promise<void> {
    await this.store.open()
    this.worker.run().catch((error: unknown) => this.logger.error({ err: error }, 'the timers worker ended'))
  }

  /** Sets the alarm for a deadline. An existing alarm stays unchanged. */
  async add(source: string, { id, dueAt }: Deadline): Promise<void> {
    const data = { source, id, dueAt: dueAt.getTime() }
    const delay = Math.max(0, dueAt.getTime() - Date.now())
    // BullMQ allows no colon in the id of a job.
    const jobId = `${source}-${encodeURIComponent(id)}-${data.dueAt}`
    // One by one: BullMQ's bulk call makes temporary tables and sequences, for which a service has no right.
    await this.queue.add(source, data, { delay, jobId })
  }

  /**
   * Takes no new job, and waits for those that are running where the store can be relied on to answer. A job that is cut short is
   * run again later, and then finds that its row is not due.
   */
  async close(): Promise<void> {
    await this.worker.close(this.store.closesAtOnce)
    await this.queue.close()
    this.store.disconnect()
  }

  /** A store that is away has been logged by itself. */
  private report(error: Error): void {
    const now = performance.now()
    if (!this.store.usable || now - this.reportedAtMs < REPORT_EVERY_MS) return
    this.reportedAtMs = now
    this.logger.warn({ err: error }, 'the queue of the timers reports an error')
  }
}
