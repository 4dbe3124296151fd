import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { GroupSettings } from '../consumer/lane.js'
import type { LogRow } from '../consumer/log-event.js'
import { Assignment } from './kafka-assignment.js'
import type { KafkaDeadLetters } from './kafka-dead-letters.js'
import { rowOf, typeOf } from './kafka-message.js'
import { KafkaReader, type ReaderOptions } from './kafka-reader.js'

/** The other partitions wait this long for one whose events take time. After that it is handled on its own. */
const SLOW_MS = 100

/** How long the progress of handled events may take to be recorded. Otherwise they are delivered again. */
const COMMIT_MS = 5_000

type Source = Pick<ReaderOptions, 'client' | 'admin' | 'sessionMs'>

/**
 * One process of a consumer group on Kafka. The events of a partition are handled beside the loop that fetches, and the partition is
 * paused meanwhile. So heartbeats go on and other partitions are read, however long a handler takes or an outage lasts.
 */
export class KafkaGroup {
  private readonly logger = loggerOf('events-group')
  private readonly reader: KafkaReader
  private assignment: Assignment | undefined
  /** What is being handled, by partition. It may belong to an assignment that has ended. */
  private readonly inProgress = new Map<string, Promise<void>>()
  /** Lets kafkajs fetch the partitions again that were paused because a rebalance goes on. */
  private readonly resumes: (() => void)[] = []

  constructor(
    source: Source,
    private readonly settings: GroupSettings,
    private readonly deadLetters: KafkaDeadLetters,
  ) {
    this.reader = new KafkaReader({
      ...source,
      group: settings.group,
      topics: settings.topics,
      onJoin: consumer => this.join(consumer),
      onLeaving: () => this.assignment?.end(),
      onClosing: () => this.finish(),
      onBatch: payload => this.take(payload),
    })
  }

  start(): void {
    this.reader.start()
  }

  async close(): Promise<void> {
    await this.reader.close()
  }

  /** For how many seconds a partition of this process has waited for an event whose attempts fail: the longest. */
  get waitingSeconds(): number {
    return this.assignment?.waitingSeconds ?? 0
  }

  private join(consumer: Consumer): void {
    this.assignment?.end()
    const assignment = new Assignment(this.settings, this.deadLetters, async (topic, partition, position) => {
      // After another rebalance the partition may have another owner, whose progress this would overwrite.
      if (this.assignment === assignment) await this.commit(consumer, topic, partition, position)
    })
    this.assignment = assignment
    for (const resume of this.resumes.splice(0)) resume()
  }

  private async finish(): Promise<void> {
    this.resumes.length = 0
    this.assignment?.end()
    await Promise.all(this.inProgress.values())
    this.assignment = undefined
  }

  /** Resolves when the events are handled, or soon: then they are handled in the background. */
  private async take(payload: EachBatchPayload): Promise<void> {
    const { topic, partition } = payload.batch
    const { assignment } = this
    // The partitions are about to be given out again. kafkajs keeps a pause when this process gets the same partition.
    if (!assignment || assignment.hasEnded) return void this.resumes.push(payload.pause())
    const key = `${topic}/${partition}`
    const earlier = this.inProgress.get(key)
    if (assignment.isBusyWith(topic, partition)) return void earlier?.then(payload.pause())
    // Events of an earlier assignment that are still being handled come first, because they may be the same.
    const work = Promise.resolve(earlier)
      .then(() => assignment.handle(payload, this.rowsOf(payload)))
      .catch((error: unknown) => this.logger.error({ err: error, topic, partition }, 'events are delivered again'))
      .finally(() => {
        if (this.inProgress.get(key) === work) this.inProgress.delete(key)
      })
    this.inProgress.set(key, work)
    if (await isDoneWithin(SLOW_MS, work)) return
    const resume = payload.pause()
    void work.then(resume)
  }

  /** The events of a batch whose type is not skipped. */
  private rowsOf({ batch: { topic, partition, messages } }: EachBatchPayload): LogRow[] {
    const { skips = [] } = this.settings
    return messages.flatMap(message =>
      skips.includes(typeOf(message) ?? '') ? [] : (rowOf(topic, partition, message) ?? []),
    )
  }

  private async commit(consumer: Consumer, topic: string, partition: number, position: string): Promise<void> {
    const offset = String(BigInt(position) + 1n)
    try {
      if (await isDoneWithin(COMMIT_MS, consumer.commitOffsets([{ topic, partition, offset }]))) return
      this.logger.warn({ topic, partition, offset }, 'the progress is not recorded yet')
    } catch (error) {
      // As after a rebalance that this process does not know of yet. The events may be delivered again.
      this.logger.info({ err: error, topic, partition, offset }, 'the progress was not recorded')
    }
  }
}
