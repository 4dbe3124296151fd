/** The Kafka, Redis and S3 server of the distributed profile, as tools/dev/distributed-tests.js starts them for one worker of Jest. */
export interface Engines {
  /** The variables with which a service finds all three. */
  readonly environment: Readonly<Record<'KAFKA_BROKERS' | 'REDIS_URL' | 'STORAGE_URL', string>>
  /** The folder in which the S3 server keeps its buckets, each as a folder. */
  readonly buckets: string
}

/**
 * The engines on which the tests of this worker run. Null when the services use the embedded log, timers in PostgreSQL and a folder, as
 * everywhere but in the project `distributed` of Jest.
 */
export const ENGINES = enginesOfWorker()

function enginesOfWorker(): Engines | null {
  const { TEST_ENGINES, JEST_WORKER_ID } = process.env
  if (!TEST_ENGINES) return null
  const engines = (JSON.parse(TEST_ENGINES) as Engines[])[Number(JEST_WORKER_ID) - 1]
  if (!engines) throw new Error(`TEST_ENGINES has no engines for worker ${JEST_WORKER_ID}`)
  return engines
}

let redisDatabases = 0

/** The URL of a database of Redis that no other test has used. */
export const newRedisUrl = ({ environment }: Engines): string => `${environment.REDIS_URL}/${redisDatabases++}`
