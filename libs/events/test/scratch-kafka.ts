import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { type KafkaEngine, startKafka } from '@holdfast/engines/kafka'
import type { Admin } from 'kafkajs'
import { PARTITIONS } from '../src/embedded/partition.js'
import { askAgain, type KafkaSettings, kafkaClient } from '../src/kafka/kafka-client.js'

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
    for (const topic of (await this.admin.listTopics()).filter(name => name in TOPIC_OWNERS))
      await askAgain(async () => {
        const partitions = await this.admin.fetchTopicOffsets(topic)
        const ends = partitions.map(({ partition, high }) => ({ partition, offset: high }))
        await this.admin.deleteTopicRecords({ topic, partitions: ends })
      })
  }

  async stop(): Promise<void> {
    await this.admin.disconnect()
    await this.engine.process.kill()
    fs.rmSync(this.folder, { recursive: true, force: true })
  }
}

const settingsOf = (broker: string): KafkaSettings => ({
  brokers: [broker],
  tls: false,
  partitions: PARTITIONS,
  replication: 1,
})
