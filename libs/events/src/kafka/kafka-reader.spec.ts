import { setTimeout as sleep } from 'node:timers/promises'
import { eventuallyPasses } from '@holdfast/testing/eventually'
import { FakeKafka } from '../../test/fake-kafka.js'
import { KafkaReader, type ReaderOptions } from './kafka-reader.js'

const TOPIC = 'escrow.transaction'

function readerOf(kafka: FakeKafka, options: Pick<ReaderOptions, 'onClosing' | 'silenceMs'> = {}) {
  const calls = { onJoin: jest.fn(), onLeaving: jest.fn(), onBatch: jest.fn(async () => undefined) }
  return { reader: new KafkaReader({ ...kafka.source, group: 'g', topics: [TOPIC], ...calls, ...options }), calls }
}

it('begins nothing more with a consumer that is about to be closed', async () => {
  const kafka = new FakeKafka(TOPIC)
  let finish = () => {}
  const handled = new Promise<void>(resolve => (finish = resolve))
  const { reader, calls } = readerOf(kafka, { onClosing: () => handled })
  reader.start()
  const consumer = await kafka.running()
  consumer.emit('GROUP_JOIN')
  const closed = reader.close()
  const pause = jest.fn()
  consumer.emit('REBALANCING')
  consumer.emit('GROUP_JOIN')
  await consumer.eachBatch!({ pause } as never)
  expect(calls.onJoin).toHaveBeenCalledTimes(1)
  expect(calls.onLeaving).not.toHaveBeenCalled()
  expect(calls.onBatch).not.toHaveBeenCalled()
  expect(pause).toHaveBeenCalledTimes(1)
  finish()
  await closed
})

it('begins no consumer when it is closed while it connects', async () => {
  const kafka = new FakeKafka(TOPIC)
  let connect = () => {}
  kafka.admin.connect = () => new Promise<void>(resolve => (connect = resolve))
  const { reader } = readerOf(kafka)
  reader.start()
  const closed = reader.close()
  connect()
  await closed
  expect(kafka.consumers).toEqual([])
})

it('replaces a consumer when a broker has not answered one of its requests', async () => {
  const kafka = new FakeKafka(TOPIC)
  const { reader } = readerOf(kafka)
  reader.start()
  const consumer = await kafka.running()
  consumer.emit('REQUEST_TIMEOUT', { broker: 'one:9092', apiName: 'Fetch' })
  await eventuallyPasses(() => expect(kafka.consumers).toHaveLength(2))
  await reader.close()
})

it('replaces a consumer that fetches on without having joined again', async () => {
  const kafka = new FakeKafka(TOPIC)
  const { reader } = readerOf(kafka)
  reader.start()
  const consumer = await kafka.running()
  for (const event of ['GROUP_JOIN', 'FETCH', 'REBALANCING', 'GROUP_JOIN', 'FETCH'] as const) consumer.emit(event)
  await sleep(50)
  expect(kafka.consumers).toHaveLength(1)
  consumer.emit('REBALANCING')
  consumer.emit('FETCH')
  await eventuallyPasses(() => expect(kafka.consumers).toHaveLength(2))
  await reader.close()
})

it.each(['FETCH', 'HEARTBEAT'] as const)('replaces a consumer of which only %s events come', async only => {
  const kafka = new FakeKafka(TOPIC)
  const { reader } = readerOf(kafka, { silenceMs: 400 })
  reader.start()
  const consumer = await kafka.running()
  consumer.emit('GROUP_JOIN')
  const lively = setInterval(() => (['FETCH', 'HEARTBEAT'] as const).map(each => consumer.emit(each)), 20)
  await sleep(1_000)
  clearInterval(lively)
  expect(kafka.consumers).toHaveLength(1)
  const halfAlive = setInterval(() => consumer.emit(only), 20)
  await eventuallyPasses(() => expect(kafka.consumers).toHaveLength(2), 5_000)
  clearInterval(halfAlive)
  await reader.close()
})
