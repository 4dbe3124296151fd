import { counter, gauge } from '@holdfast/service-kit/telemetry/metrics'
import type { OutboxRelay } from './outbox/relay.js'
import type { EventOutcome, EventTransport, GroupLag } from './transport.js'

const published = counter('events_published_total', 'Events the relay has published')
const consumed = counter('events_consumed_total', 'Attempts of a group at events, by outcome', ['group', 'outcome'])

export const countPublished = (events: number): void => published.inc(events)

export const countOutcome = (group: string, outcome: EventOutcome): void => consumed.inc({ group, outcome })

/** Measures the outbox at every scrape: one query for its two gauges. While the database is unreachable, the last values stay. */
export function watchOutbox(relay: OutboxRelay): void {
  const measured = shared(() => relay.waiting())
  gauge('outbox_oldest_seconds', 'Age of the oldest event that is not published yet', [], async age =>
    age.set((await measured()).oldestSeconds),
  )
  gauge('outbox_depth', 'Events not published yet, counted up to a limit', [], async depth =>
    depth.set((await measured()).events),
  )
}

const OUTCOMES = ['handled', 'retried', 'postponed', 'dead_lettered'] as const satisfies readonly EventOutcome[]

/** Measures how far a group is behind, at every scrape: one query for its three gauges. */
export function watchLag(transport: EventTransport, group: string): void {
  // A rate needs two values, so the first dead letter would not be seen if its series began with it.
  for (const outcome of OUTCOMES) consumed.inc({ group, outcome }, 0)
  const measured = shared(() => transport.lag(group))
  const watch = (name: string, help: string, part: (lag: GroupLag) => number) =>
    gauge(name, help, ['group'], async value => value.set({ group }, part(await measured())))
  watch('consumer_lag_events', 'Events a group has not handled', lag => lag.events)
  watch('consumer_lag_seconds', 'Age of the oldest event a group has not handled', lag => lag.oldestSeconds)
  watch(
    'events_partition_waiting_seconds',
    'For how long a partition has waited for an event whose attempts fail: the longest of all partitions of a group',
    lag => lag.waitingSeconds,
  )
}

/** The gauges of a scrape are collected at the same time, and so they share one measurement. */
function shared<T>(measure: () => Promise<T>): () => Promise<T> {
  let measuring: Promise<T> | undefined
  return () => {
    measuring ??= measure().finally(() => {
      measuring = undefined
    })
    return measuring
  }
}
