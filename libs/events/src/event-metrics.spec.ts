import { setTimeout as sleep } from 'node:timers/promises'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { watchLag, watchOutbox } from './event-metrics.js'
import type { OutboxRelay } from './outbox/relay.js'
import type { EventTransport } from './transport.js'

it('the gauges of a group show what one query answered at the same scrape', async () => {
  let queries = 0
  const lag = async () => ({ events: 3, oldestSeconds: 70, waitingSeconds: 60 + queries++ })
  watchLag({ lag } as unknown as EventTransport, 'g')
  const text = await registry.metrics()
  expect(text).toMatch(/consumer_lag_events\{group="g".*\} 3/)
  expect(text).toMatch(/consumer_lag_seconds\{group="g".*\} 70/)
  expect(text).toMatch(/events_partition_waiting_seconds\{group="g".*\} 60/)
  expect(queries).toBe(1)
  expect(text).toMatch(/events_consumed_total\{group="g",outcome="dead_lettered".*\} 0/)
})

it('the gauges of an outbox show what one query answered at the same scrape', async () => {
  let queries = 0
  const waiting = async () => {
    queries++
    await sleep(10)
    return { events: 3, oldestSeconds: 60 }
  }
  watchOutbox({ waiting } as unknown as OutboxRelay)
  const text = await registry.metrics()
  expect(text).toMatch(/outbox_depth(\{.*\})? 3/)
  expect(text).toMatch(/outbox_oldest_seconds(\{.*\})? 60/)
  expect(queries).toBe(1)
})
