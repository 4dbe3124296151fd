import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { type KafkaEngine, startKafka, startKafkaCluster } from '@holdfast/engines/kafka'
import kafkajs, { type Admin } from 'kafkajs'
import { PARTITIONS } from '../src/embedded/partition.js'
import { type KafkaSettings, kafkaClient } from '../src/kafka/kafka-client.js'
import { eventually } from './scratch-log.js'

const { KafkaJSError } = kafkajs

/** How long a Kafka may take until each partition has a leader again. */
const WITHIN_MS = 30_000

/** A Kafka for one test file, of one broker or of several. It is removed at the end. */
export class ScratchKafka {
  private constructor(
    private readonly folder: string,
    readonly engines: readonly KafkaEngine[],
    readonly admin: Admin,
  ) {}

  static async start(brokers = 1): Promise<ScratchKafka> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-kafka-'))
    const engines = brokers === 1 ? [await startKafka(folder)] : await startKafkaCluster(folder, brokers)
    const admin = kafkaClient(settingsOf(engines), 'test').admin()
    await admin.connect()
    return new ScratchKafka(folder, engines, admin)
  }

  /** The only broker, or the first one. */
  get engine(): KafkaEngine {
    return this.engines[0]!
  }

  get settings(): KafkaSettings {
    return settingsOf(this.engines)
  }

  /** Deletes every event of the topics that exist. */
  async empty(): Promise<void> {
    for (const topic of (await this.admin.listTopics()).filter(name => name in TOPIC_OWNERS))
      await eventually(() => this.tryToEmpty(topic), WITHIN_MS)
  }

  /** @returns whether it has deleted every event of the topic */
  private async tryToEmpty(topic: string): Promise<boolean> {
    try {
      const partitions = await this.admin.fetchTopicOffsets(topic)
      const ends = partitions.map(({ partition, high }) => ({ partition, offset: high }))
      await this.admin.deleteTopicRecords({ topic, partitions: ends })
      return true
    } catch (error) {
      // Leaders move for some seconds after a test has stopped a broker.
      if (error instanceof KafkaJSError) return false
      throw error
    }
  }

  async stop(): Promise<void> {
    await this.admin.disconnect()
    await Promise.all(this.engines.map(engine => engine.process.kill()))
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

const settingsOf = (engines: readonly KafkaEngine[]): KafkaSettings => ({
  brokers: engines.map(engine => engine.broker),
  tls: false,
  partitions: PARTITIONS,
  replication: engines.length,
})
