import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { ScratchKafka } from '../../test/scratch-kafka.js'
import { ScratchLog } from '../../test/scratch-log.js'
import { FAST_RETRIES, promisesOfEveryTransport } from '../../test/transport-contract.js'
import { KafkaTransport } from './kafka-transport.js'

describe('the transport on Kafka', () => {
  let log: ScratchLog
  let kafka: ScratchKafka

  beforeAll(async () => {
    ;[log, kafka] = await Promise.all([ScratchLog.make(), ScratchKafka.start()])
  })
  beforeEach(async () => {
    await Promise.all([kafka.empty(), log.admin.query('TRUNCATE events.dead_letter')])
  })
  afterAll(() => Promise.all([log.drop(), kafka.stop()]))

  const make = (service: string): KafkaTransport =>
    new KafkaTransport({ kafka: kafka.settings, databaseUrl: log.url, service, retryDelaysMs: FAST_RETRIES })

  promisesOfEveryTransport({ log: () => log, make, deliversOnce: false })
})
