import type { EventEnvelope } from '@holdfast/contracts/events'
import type { ServiceName } from '@holdfast/contracts/route'
import type { StoredEvent } from '@holdfast/events/transport'
import type { ScratchDatabase } from './scratch-database.js'

/** The log that carries the events of the services on a scratch database: the embedded one, or Kafka. */
export interface EventLog {
  /** The variables with which a service uses it. */
  readonly environment: NodeJS.ProcessEnv
  /** Publishes events as a service does. */
  publish(service: ServiceName, events: readonly EventEnvelope[]): Promise<void>
  /** Makes a service's group read all events again. */
  redeliverAll(group: ServiceName): Promise<void>
  /** Whether a service's group has read all events. */
  isCaughtUp(group: ServiceName): Promise<boolean>
  close(): Promise<void>
}

/** Publishes events as another service would, so that the service under test consumes them. */
export const publishAs = (
  service: ServiceName,
  database: ScratchDatabase,
  ...events: readonly EventEnvelope[]
): Promise<void> => database.log.publish(service, events)

/** The event as the relay hands it to a transport. */
export const stored = (event: EventEnvelope): StoredEvent => ({
  ...event,
  payload: JSON.stringify(event.payload),
  requestId: event.requestId ?? null,
  traceparent: event.traceparent ?? null,
})

/** Makes a service's group read all events again, as after a crash that lost its progress. */
export const redeliverAll = (group: ServiceName, database: ScratchDatabase): Promise<void> =>
  database.log.redeliverAll(group)

/** Whether a service's group has read all events. */
export const isCaughtUp = (group: ServiceName, database: ScratchDatabase): Promise<boolean> =>
  database.log.isCaughtUp(group)
