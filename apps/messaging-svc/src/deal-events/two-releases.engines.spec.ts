import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafka } from '@holdfast/engines/kafka'
import { PARTITIONS } from '@holdfast/events/embedded/partition'
import { kafkaClient } from '@holdfast/events/kafka/kafka-client'
import { KafkaTransport } from '@holdfast/events/kafka/kafka-transport'
import { stored } from '@holdfast/testing/event-log'
import type { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { promisesOfTwoReleases, type TestedLog } from '../../test/two-releases.js'

async function kafkaLog(database: ScratchDatabase): Promise<TestedLog> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-kafka-'))
  const engine = await startKafka(folder)
  const kafka = { brokers: [engine.broker], tls: false, partitions: PARTITIONS, replication: 1 }
  const escrow = new KafkaTransport({ kafka, databaseUrl: database.url(), service: 'escrow-svc' })
  await escrow.start()
  const admin = kafkaClient(kafka, 'test').admin()
  await admin.connect()
  return {
    environment: { EVENTS_TRANSPORT: 'kafka', KAFKA_BROKERS: engine.broker },
    publish: (...events) => escrow.publish(events.map(stored)),
    async passed(groupId) {
      const [topic] = await admin.fetchOffsets({ groupId, topics: ['escrow.transaction'] })
      // A partition without progress has the offset -1.
      return new Map(topic!.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]))
    },
    async stop() {
      await escrow.stop()
      await admin.disconnect()
      await engine.process.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe('two releases side by side on Kafka', () => promisesOfTwoReleases(kafkaLog))
