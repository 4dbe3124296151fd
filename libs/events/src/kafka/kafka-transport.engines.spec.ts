import { describe } from 'vitest'
import { KafkaTests } from '../../test/kafka-tests.js'
import { promisesOfEveryTransport } from '../../test/transport-contract.js'

describe('the transport on Kafka', () => {
  const tests = new KafkaTests()
  promisesOfEveryTransport({ log: () => tests.log, make: tests.make, deliversOnce: false })
})
