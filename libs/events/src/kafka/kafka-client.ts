import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import kafkajs, { Kafka, type LogEntry, logLevel, type Producer, type SASLOptions } from 'kafkajs'

// Node does not find these among the exports of kafkajs by their names, because it is a CommonJS package.
const { KafkaJSError, KafkaJSGroupCoordinatorNotFound } = kafkajs

/** How Kafka is reached, and how topics are created there. */
export interface KafkaSettings {
  /** Addresses of some brokers, as `host:port`; they name the others. */
  readonly brokers: readonly string[]
  readonly tls: boolean
  readonly sasl?: {
    readonly mechanism: 'scram-sha-256' | 'scram-sha-512' | 'plain'
    readonly username: string
    readonly password: string
  }
  /** Of topics that are created. It must never change for a topic: the events of a moved key would lose their order. */
  readonly partitions: number
  /** Copies of each event, on different brokers. */
  readonly replication: number
}

const CONNECTION_TIMEOUT_MS = 1_000
const REQUEST_TIMEOUT_MS = 5_000
/** How long a producer keeps what it knows about leaders. kafkajs does not ask for new ones when a broker has not answered. */
export const METADATA_MS = 3_000

/**
 * How often kafkajs tries a request again before it rejects: for about 17 s, which outlasts the restart of a broker. Everything
 * here begins again after a rejection. With unlimited attempts a client would go on for ever after it was closed.
 */
const ATTEMPTS = 20
/** Of a request for which someone waits, such as the measurement of a lag. */
export const FEW_ATTEMPTS = 3

/** How long kafkajs may take to close a connection. It takes longer when the broker does not answer. */
export const CLOSE_MS = 3_000

/** Closes a client. One that does not close properly is of no further use. */
export const disconnect = (client: Pick<Producer, 'disconnect'>): Promise<void> =>
  client.disconnect().catch(() => undefined)

export const retryOf = (retries = ATTEMPTS) => ({
  initialRetryTime: 100,
  maxRetryTime: 1_000,
  factor: 0.2,
  multiplier: 2,
  retries,
})

const logger = loggerOf('kafkajs')

/** The lines of kafkajs repeat for as long as a broker is away, so they are logged at level debug. Our own code logs what matters. */
const toOurLog = ({ label, namespace, log: { message, timestamp: _, ...details } }: LogEntry): void =>
  logger.debug({ ...details, namespace, kafkajsLevel: label }, message)

/** A client of Kafka. Consumers of one client share offsets, so each consumer gets a client of its own. */
export const kafkaClient = (settings: KafkaSettings, clientId: string, retries = ATTEMPTS): Kafka =>
  new Kafka({
    clientId,
    brokers: fromRandom(settings.brokers),
    ssl: settings.tls,
    ...(settings.sasl && { sasl: settings.sasl as SASLOptions }),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    retry: retryOf(retries),
    logLevel: logLevel.INFO,
    logCreator: () => toOurLog,
  })

/**
 * The brokers, beginning with a random one. kafkajs connects to the first. When that one accepts connections and answers nothing, kafkajs
 * tries no other. A new client then has a chance to begin with another broker.
 */
function fromRandom(brokers: readonly string[]): string[] {
  const first = randomInt(brokers.length)
  return [...brokers.slice(first), ...brokers.slice(0, first)]
}

const PASSING_ATTEMPTS = 8
const PASSING_PAUSE_MS = 250

/**
 * Asks again after an error that passes, such as while a topic that was just created has no leader, or while a broker that was just
 * started loads its groups. kafkajs does not always do so.
 */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      // kafkajs takes this error for one that lasts. It passes when a new broker has made the topic of the groups' offsets.
      const hasNoCoordinator = error instanceof KafkaJSGroupCoordinatorNotFound
      const isPassing = hasNoCoordinator || (error instanceof KafkaJSError && error.retriable)
      if (!isPassing || attempt === PASSING_ATTEMPTS) throw error
      await sleep(PASSING_PAUSE_MS)
    }
  }
}
