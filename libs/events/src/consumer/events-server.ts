import { type EventDefinition, findEvent } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { loggerOf, requestContext } from '@holdfast/service-kit/telemetry/logging'
import { histogram } from '@holdfast/service-kit/telemetry/metrics'
import { currentTraceId, withSpan } from '@holdfast/service-kit/telemetry/telemetry'
import { type CustomTransportStrategy, Server } from '@nestjs/microservices'
import { SpanKind } from '@opentelemetry/api'
import { isObservable, lastValueFrom } from 'rxjs'
import { type Delivery, type EventTransport, PoisonEventError, type Subscription } from '../transport.js'
import { EventContext } from './on-event.js'

const log = loggerOf('events')
const handling = histogram('event_handling_seconds', 'Time a handler took with an event, successful or not', ['type'])

/**
 * Nest's side of the transport: every `@EventPattern(event.type)` or `@OnEvent(event)` of the application is one
 * subscription of the service's group. Types nobody handles are passed over, so a newer release may write more of them.
 */
export class EventsServer extends Server implements CustomTransportStrategy {
  // The failure of a handler must reach the transport, which tries again.
  override readonly propagatesEventHandlerErrors = true
  private subscription: Subscription | undefined

  constructor(
    private readonly transport: EventTransport,
    /** The consumer group: the service's name, since each event is for one process of each service. */
    private readonly group: string,
  ) {
    super()
  }

  /** @throws when a handler names an event that does not exist */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const definitions = [...this.messageHandlers.keys()].map(definitionOf)
      if (definitions.length > 0) await this.subscribe(definitions)
      callback()
    } catch (error) {
      callback(error)
    }
  }

  /** Takes no new event and waits for those in flight. */
  async close(): Promise<void> {
    await this.subscription?.close()
    this.subscription = undefined
  }

  on(): never {
    throw new Error('the events server has no client events')
  }

  unwrap<T>(): T {
    return this.transport as T
  }

  private async subscribe(definitions: readonly EventDefinition[]): Promise<void> {
    this.subscription = await this.transport.subscribe({
      group: this.group,
      topics: [...new Set(definitions.map(definition => definition.topic))],
      types: definitions.map(definition => definition.type),
      handler: delivery => this.handle(delivery),
    })
  }

  private async handle({ event, attempt }: Delivery): Promise<void> {
    const payload = parsed(definitionOf(event.type), event.payload)
    const handler = this.messageHandlers.get(event.type)
    assert(handler, `no handler for ${event.type}`)
    const span = {
      kind: SpanKind.CONSUMER,
      attributes: { 'messaging.message.id': event.id, 'messaging.destination.name': event.topic },
      ...(event.traceparent !== undefined && { parent: { traceparent: event.traceparent } }),
    }
    const end = handling.startTimer({ type: event.type })
    try {
      await withSpan(`handle ${event.type}`, span, () => {
        const traceId = currentTraceId()
        const scope = { requestId: event.requestId ?? event.id, ...(traceId !== undefined && { traceId }) }
        return requestContext.run(scope, async () => {
          const outcome: unknown = await handler(payload, new EventContext(event, attempt))
          if (isObservable(outcome)) await lastValueFrom(outcome, { defaultValue: undefined })
          log.debug({ type: event.type, attempt }, 'event')
        })
      })
    } finally {
      end()
    }
  }
}

function definitionOf(type: string): EventDefinition {
  const definition = findEvent(type)
  assert(definition, `no event has the type ${type}`)
  return definition
}

function parsed(definition: EventDefinition, payload: unknown): unknown {
  const result = definition.payload.safeParse(payload)
  if (!result.success)
    throw new PoisonEventError(`the payload is not what ${definition.type} says`, { cause: result.error })
  return result.data
}
