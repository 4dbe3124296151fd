import type { ServiceName } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { type DatabaseUrls, directUrl } from '@holdfast/service-kit/lifecycle/config'
import type { EventsConfig } from '@holdfast/service-kit/lifecycle/kafka-config'
import { EmbeddedTransport } from './embedded/embedded-transport.js'
import { PARTITIONS } from './embedded/partition.js'
import type { KafkaSettings } from './kafka/kafka-client.js'
import type { EventOutcome, EventTransport } from './transport.js'

/** The part of a configuration that code which carries events reads. */
export type TransportConfig = EventsConfig & DatabaseUrls

export interface CreateOptions {
  /** The service that publishes and reads. */
  readonly service: ServiceName
  /** Whether it deletes old events of the embedded log. */
  readonly cleans: boolean
  /** Counts what became of a group's attempts. */
  readonly onOutcome?: (group: string, outcome: EventOutcome) => void
}

/** The transport that the configuration chooses, not started. The code of Kafka is loaded only when it is chosen. */
export async function createTransport(
  config: TransportConfig,
  { cleans, ...options }: CreateOptions,
): Promise<EventTransport> {
  const all = { ...options, databaseUrl: directUrl(config) }
  if (config.EVENTS_TRANSPORT === 'embedded') return new EmbeddedTransport({ ...all, cleans })
  const { KafkaTransport } = await import('./kafka/kafka-transport.js')
  return new KafkaTransport({ ...all, kafka: kafkaSettings(config) })
}

function kafkaSettings(config: EventsConfig): KafkaSettings {
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config
  assert(config.KAFKA_BROKERS.length > 0, 'the configuration names brokers')
  return {
    brokers: config.KAFKA_BROKERS,
    tls: config.KAFKA_TLS,
    ...(username && password && { sasl: { mechanism: config.KAFKA_SASL_MECHANISM, username, password } }),
    partitions: config.KAFKA_PARTITIONS ?? PARTITIONS,
    replication: config.KAFKA_REPLICATION,
  }
}
