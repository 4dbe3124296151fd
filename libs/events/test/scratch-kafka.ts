import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { type KafkaEngine, startKafka } from '@holdfast/engines/kafka'
import { type Admin, KafkaJSError } from 'kafkajs'
import { PARTITIONS } from '../src/embedded/partition.js'
import { type KafkaSettings, kafkaClient } from '../src/kafka/kafka-client.js'
import { eventually } from './scratch-log.js'

/** A Kafka of one broker for one test file. It is removed at the end. */
export class ScratchKafka {
  private constructor(
    private readonly folder: string,
    readonly engine: KafkaEngine,
    readonly admin: Admin,
  ) {}

  static async start(): Promise<ScratchKafka> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-kafka-'))
    const engine = await startKafka(folder)
    const admin = kafkaClient(settingsOf(engine.broker), 'test').admin()
    await admin.connect()
    return new ScratchKafka(folder, engine, admin)
  }

  get settings(): KafkaSettings {
    return settingsOf(this.engine.broker)
  }

  /** Deletes every event of the topics that exist. */
  async empty(): Promise<void> {
    const topics = (await this.admin.listTopics()).filter(name => name in TOPIC_OWNERS)
    for (const topic of topics) await eventually(() => this.isEmptied(topic))
  }

  async stop(): Promise<void> {
    await this.admin.disconnect()
    await this.engine.process.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }

  /** @returns false when the partitions of a topic that was just made have no leaders yet */
  private async isEmptied(topic: string): Promise<boolean> {
    try {
      const partitions = await this.admin.fetchTopicOffsets(topic)
      const ends = partitions.map(({ partition, high }) => ({ partition, offset: high }))
      await this.admin.deleteTopicRecords({ topic, partitions: ends })
      return true
    } catch (error) {
      if (error instanceof KafkaJSError && error.retriable) return false
      throw error
    }
  }
}

const settingsOf = (broker: string): KafkaSettings => ({
  brokers: [broker],
  tls: false,
  partitions: PARTITIONS,
  replication: 1,
})
