import { promisesOfDelivery } from '../../test/delivery-contract.js'
import { promisesOnFailure } from '../../test/failure-contract.js'
import { KafkaTests } from '../../test/kafka-tests.js'

describe('the transport on Kafka', () => {
  const tests = new KafkaTests()
  const promised = { log: () => tests.log, make: tests.make, deliversOnce: false }
  promisesOfDelivery(promised)
  promisesOnFailure(promised)
})
