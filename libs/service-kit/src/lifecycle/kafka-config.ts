import { z } from 'zod'

const ADDRESS = /^[^\s,:]+:\d{1,5}$/
const MOST_PARTITIONS = 1_000
const MOST_COPIES = 9

/** The variables that choose what carries events, and that say how Kafka is reached. */
export const eventsShape = {
  EVENTS_TRANSPORT: z.enum(['embedded', 'kafka'], 'must be embedded or kafka').default('embedded'),
  /** Some brokers, separated by commas; they name the others. */
  KAFKA_BROKERS: z
    .string()
    .default('')
    .transform((list, issues) => {
      const brokers = list
        .split(',')
        .map(address => address.trim())
        .filter(address => address !== '')
      if (brokers.every(address => ADDRESS.test(address))) return brokers
      issues.addIssue({ code: 'custom', message: 'must be addresses as host:port, separated by commas' })
      return z.NEVER
    }),
  /** The partitions of topics that are created, for all services the same; left out: as many as the embedded log has. */
  KAFKA_PARTITIONS: z.coerce.number().int().min(1).max(MOST_PARTITIONS).optional(),
  /** Copies of each event, on different brokers. */
  KAFKA_REPLICATION: z.coerce.number().int().min(1).max(MOST_COPIES).default(1),
  /** A certificate authority of one's own is named by Node's NODE_EXTRA_CA_CERTS. */
  KAFKA_TLS: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform(value => value === 'true'),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD: z.string().optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(['scram-sha-256', 'scram-sha-512', 'plain'], 'must be scram-sha-256, scram-sha-512 or plain')
    .default('scram-sha-512'),
}

/** These variables as they are read. */
export type EventsConfig = Readonly<z.output<z.ZodObject<typeof eventsShape>>>

/** What is wrong with a variable that must be set. */
export const MISSING = 'is missing'
const LEAST_COPIES = 2

/** The faults of variables that are well-formed. */
export function eventsRefusals(
  config: Partial<EventsConfig> & { readonly NODE_ENV?: unknown },
): Record<string, string | undefined> {
  if (config.EVENTS_TRANSPORT !== 'kafka') return {}
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password, KAFKA_REPLICATION: copies = 1 } = config
  const isReadable = config.KAFKA_SASL_MECHANISM === 'plain' && !config.KAFKA_TLS
  const isLost = config.NODE_ENV === 'production' && copies < LEAST_COPIES
  return {
    KAFKA_BROKERS: config.KAFKA_BROKERS?.length ? undefined : MISSING,
    KAFKA_SASL_USERNAME: password && !username ? MISSING : undefined,
    KAFKA_SASL_PASSWORD: username && !password ? MISSING : undefined,
    KAFKA_SASL_MECHANISM: isReadable
      ? 'must not be plain without KAFKA_TLS: the password would be readable on the way'
      : undefined,
    KAFKA_REPLICATION: isLost
      ? `must be at least ${LEAST_COPIES} in production: events would be lost with a broker's disk`
      : undefined,
  }
}
