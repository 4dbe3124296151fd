import { EVENTS, type EventDefinition, type EventEnvelope, findEvent } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { batchCalls } from '@holdfast/service-kit/database/batch-calls'
import { loggerOf, requestContext } from '@holdfast/service-kit/telemetry/logging'
import { histogram } from '@holdfast/service-kit/telemetry/metrics'
import { continueTrace, currentTraceId, SpanKind, withSpan } from '@holdfast/service-kit/telemetry/telemetry'
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices'
import { isObservable, lastValueFrom } from 'rxjs'
import type { DataSource } from 'typeorm'
import { handleOnce } from '../inbox/inbox.js'
import {
  type Delivery,
  type EventTransport,
  PoisonEventError,
  type Subscription,
  UNKNOWN_TYPE_BREAK_MS,
  UNKNOWN_TYPE_WAIT_MS,
  UnknownTypeError,
} from '../transport.js'
import type { EventOptions } from './on-event.js'

const log = loggerOf('events')
const handling = histogram('event_handling_seconds', 'Time a handler took with an event, successful or not', ['type'])

/** Handles one delivery, whose event's payload is parsed. */
type Run = (delivery: Delivery) => Promise<void>

/**
 * Connects Nest with the transport: all `@OnEvent` handlers of the application share one subscription of the service's
 * group. Event types without a handler are skipped. An event of a type that this release does not know waits for a release that does:
 * this one cannot tell whether the service handles it.
 */
export class EventsServer extends Server implements CustomTransportStrategy {
  // The failure of a handler must reach the transport, which tries again.
  override readonly propagatesEventHandlerErrors = true
  private readonly runs = new Map<string, Run>()
  private subscription: Subscription | undefined
  /** When (as of `performance.now`) this process met each type that it does not know: since when without a break, and last. */
  private readonly unknownTypes = new Map<string, { readonly since: number; readonly last: number }>()

  constructor(
    private readonly transport: EventTransport,
    /** The consumer group. It is the service's name, because one process of each service handles an event. */
    private readonly group: string,
    /** The database that holds the inbox. */
    private readonly dataSource: DataSource | undefined,
  ) {
    super()
  }

  /** @throws when a handler names an unknown event, or when an event has two handlers */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      this.prepareHandlers()
      if (this.runs.size > 0) await this.subscribe([...this.runs.keys()].map(definitionOf))
      callback()
    } catch (error) {
      callback(error)
    }
  }

  /** Takes no new event and waits for those in progress. */
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

  /** Handles one delivery, as the transport calls it. Rejects when it must be tried again. */
  async handle({ event: raw, attempt }: Delivery): Promise<void> {
    const definition = findEvent(raw.type)
    if (!definition) throw this.unknownType(raw)
    const run = this.runs.get(raw.type)
    // A replayed dead letter: an older release did not know its type, and this one has no handler for it.
    if (!run) return
    const event = { ...raw, payload: parsed(definition, raw.payload) }
    const span = continueTrace(event.traceparent, `handle ${event.type}`, {
      kind: SpanKind.CONSUMER,
      attributes: {
        'messaging.operation.type': 'process',
        'messaging.destination.name': event.topic,
        'messaging.consumer.group.name': this.group,
        'messaging.message.id': event.id,
        'holdfast.attempt': attempt,
      },
    })
    const end = handling.startTimer({ type: event.type })
    try {
      await withSpan(span, () => {
        const traceId = currentTraceId()
        const scope = { requestId: event.requestId ?? event.id, ...(traceId !== undefined && { traceId }) }
        return requestContext.run(scope, async () => {
          await run({ event, attempt })
          log.debug({ type: event.type, attempt }, 'event')
        })
      })
    } finally {
      end()
    }
  }

  /**
   * An event waits until it is old and this process has met its type for as long. After an outage the event is old already, although a
   * newer release may just be starting. The wait is that of the type, so many events of it do not wait one after the other.
   */
  private unknownType({ type, occurredAt }: EventEnvelope): Error {
    const message = `this release does not know the type ${type}`
    const now = performance.now()
    const met = this.unknownTypes.get(type)
    const since = met && now - met.last <= UNKNOWN_TYPE_BREAK_MS ? met.since : now
    this.unknownTypes.set(type, { since, last: now })
    const isOld = Date.now() - Date.parse(occurredAt) > UNKNOWN_TYPE_WAIT_MS
    const hasWaited = now - since > UNKNOWN_TYPE_WAIT_MS
    return isOld && hasWaited ? new PoisonEventError(message) : new UnknownTypeError(message)
  }

  private async subscribe(definitions: readonly EventDefinition[]): Promise<void> {
    const topics = new Set(definitions.map(({ topic }) => topic))
    const skipped = Object.values<EventDefinition>(EVENTS).filter(
      definition => topics.has(definition.topic) && !definitions.includes(definition),
    )
    this.subscription = await this.transport.subscribe({
      group: this.group,
      topics: [...topics],
      skips: skipped.map(({ type }) => type),
      handler: delivery => this.handle(delivery),
    })
  }

  /** One runner for each method, so that a batch can contain all the event types that the method handles. */
  private prepareHandlers(): void {
    const byConsumer = new Map<string, EventOptions>()
    const runOf = new Map<EventOptions, Run>()
    for (const [type, handler] of this.messageHandlers) {
      const options = handler.extras?.options as EventOptions | undefined
      assert(options, `the handler of ${type} is declared with @OnEvent`)
      assert(!handler.next, `${type} has one handler in a service`)
      if ('consumer' in options) {
        const known = byConsumer.get(options.consumer) ?? options
        assert(known === options, `two handlers have the same name in the inbox: ${options.consumer}`)
        byConsumer.set(options.consumer, options)
      }
      const run = runOf.get(options) ?? this.runWith(options, handler)
      runOf.set(options, run)
      this.runs.set(definitionOf(type).type, run)
    }
  }

  private runWith(options: EventOptions, handler: MessageHandler): Run {
    if ('idempotent' in options) return ({ event, attempt }) => call(handler, event.payload, { event, attempt })
    const { dataSource } = this
    assert(dataSource, `the handler ${options.consumer} needs a database for its inbox`)
    if (!options.batch)
      return async ({ event, attempt }) => {
        const context = { event, attempt }
        await handleOnce(dataSource, options.consumer, [event], (_, manager) =>
          call(handler, event.payload, { ...context, manager }),
        )
      }
    const add = batchCalls(options.consumer, async (events: readonly EventEnvelope[]) => {
      await handleOnce(dataSource, options.consumer, events, (fresh, manager) => call(handler, fresh, { manager }))
    })
    return ({ event }) => add(event)
  }
}

async function call(handler: MessageHandler, data: unknown, context: object): Promise<void> {
  const outcome: unknown = await handler(data, context)
  if (isObservable(outcome)) await lastValueFrom(outcome, { defaultValue: undefined })
}

function definitionOf(type: string): EventDefinition {
  const definition = findEvent(type)
  assert(definition, `no event has the type ${type}`)
  return definition
}

function parsed(definition: EventDefinition, payload: unknown): unknown {
  const result = definition.payload.safeParse(payload)
  if (!result.success)
    throw new PoisonEventError(`the payload does not match the schema of ${definition.type}`, { cause: result.error })
  return result.data
}
