import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter, gauge } from '@holdfast/service-kit/telemetry/metrics'
import type { OutboxRelay } from './outbox/relay.js'
import type { EventOutcome, EventTransport } from './transport.js'

const logger = loggerOf('event-metrics')

const published = counter('events_published_total', 'Events the relay has published')
const consumed = counter('events_consumed_total', 'Attempts of a group at events, by outcome', ['group', 'outcome'])

export const countPublished = (events: number): void => published.inc(events)

export const countOutcome = (group: string, outcome: EventOutcome): void => consumed.inc({ group, outcome })

/** Measures the outbox at every scrape. While the database is unreachable, the last values stay. */
export function watchOutbox(relay: OutboxRelay): void {
  const age = gauge('events_outbox_age_seconds', 'Age of the oldest event that is not published yet')
  gauge('events_outbox_depth', 'Events not published yet, counted up to a limit', [], async depth => {
    try {
      const waiting = await relay.waiting()
      depth.set(waiting.events)
      age.set(waiting.oldestSeconds)
    } catch (error) {
      logger.warn({ err: error }, 'the outbox could not be measured')
    }
  })
}

/** Measures how far a group is behind, at every scrape. */
export function watchLag(transport: EventTransport, group: string): void {
  const age = gauge('events_lag_seconds', 'Age of the oldest event a group has not handled', ['group'])
  const waiting = gauge(
    'events_partition_waiting_seconds',
    'For how long the attempts at one event have failed, in the partition of a group where this has lasted longest',
    ['group'],
  )
  gauge('events_lag', 'Events a group has not handled', ['group'], async events => {
    try {
      const lag = await transport.lag(group)
      events.set({ group }, lag.events)
      age.set({ group }, lag.oldestSeconds)
      waiting.set({ group }, lag.waitingSeconds)
    } catch (error) {
      logger.warn({ err: error, group }, 'the lag could not be measured')
    }
  })
}
