import type { EventDefinition, EventEnvelope, PayloadOf } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { type ArgumentsHost, Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common'
import { Ctx, EventPattern, Payload } from '@nestjs/microservices'
import { type Observable, throwError } from 'rxjs'
import type { EntityManager } from 'typeorm'

/** The handler runs once for each event: its writes and the inbox row are in one dbTx. */
export interface OnceOptions {
  /** Names the handler in the inbox. It must never change: with another name old events would be handled again. */
  readonly consumer: string
  readonly batch?: false
}

/** As `OnceOptions`, and events that arrive together are handled in one dbTx. */
export interface BatchOptions {
  /** As in `OnceOptions`. */
  readonly consumer: string
  readonly batch: true
}

/** The handler runs for every delivery of an event, so at least once. */
export interface IdempotentOptions {
  /** The reason why a repetition changes nothing. */
  readonly idempotent: string
}

export type EventOptions = OnceOptions | BatchOptions | IdempotentOptions

/** The context that an idempotent handler gets with the payload. */
export interface EventContext {
  /** The event with its payload not parsed. */
  readonly event: EventEnvelope
  /** Counts from 1; more than 1 means that an earlier attempt failed or was cut off. */
  readonly attempt: number
}

/** The context that a batch handler gets with the events. */
export interface BatchContext {
  /** The dbTx that the inbox rows are in. Every effect of the handler is written through it. */
  readonly manager: EntityManager
}

/** The context that a handler of single events gets with the payload. */
export interface OnceContext extends EventContext, BatchContext {}

/** An event of one of the definitions, its payload parsed. */
export type HandledEvent<D extends EventDefinition> = D extends EventDefinition
  ? EventEnvelope<PayloadOf<D>> & { readonly type: D['type'] }
  : never

type DefinitionIn<E> = E extends readonly (infer D extends EventDefinition)[] ? D : Extract<E, EventDefinition>

type Handler<D extends EventDefinition, O extends EventOptions> = O extends IdempotentOptions
  ? (payload: PayloadOf<D>, context: EventContext) => Promise<void>
  : O extends BatchOptions
    ? (events: readonly HandledEvent<D>[], context: BatchContext) => Promise<void>
    : (payload: PayloadOf<D>, context: OnceContext) => Promise<void>

/** TypeScript accepts a function with fewer parameters. This type makes sure that the handler takes the dbTx. */
type UsesDbTx<H extends (...all: never[]) => unknown, O> = O extends IdempotentOptions
  ? unknown
  : 'manager' extends keyof Parameters<H>[1]
    ? unknown
    : { 'a handler writes through the manager of its context': never }

/** Keeps the handler's own error for the dead letters. Nest would replace it by 'Internal server error'. */
@Catch()
class ErrorsAsTheyAre implements RpcExceptionFilter<unknown> {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error)
  }
}

/**
 * Marks a controller's method as the handler of one or more events. When it rejects, the event is tried again. During an
 * outage (`isOutage`) this goes on until the outage ends; after five other failures the event becomes a dead letter. Every
 * handler declares how it treats an event that is delivered again:
 *
 * - `{ consumer }`: `(payload, { manager, event })` is called once per event, in the dbTx of its inbox row
 * - `{ consumer, batch: true }`: `(events, { manager })` is called with events that arrived together, without those that
 *   were handled before
 * - `{ idempotent: 'why' }`: `(payload, { event })` is called for every delivery
 */
export function OnEvent<
  const E extends EventDefinition | readonly [EventDefinition, ...EventDefinition[]],
  const O extends EventOptions,
>(events: E, options: O) {
  if ('idempotent' in options) assert(options.idempotent !== '', 'an idempotent handler says why it is')
  const types = [events].flat().map(definition => (definition as EventDefinition).type)
  return <H extends Handler<DefinitionIn<E>, O>>(
    target: object,
    name: string,
    descriptor: TypedPropertyDescriptor<H> & UsesDbTx<H, O>,
  ): void => {
    Payload()(target, name, 0)
    Ctx()(target, name, 1)
    EventPattern(types, { options })(target, name, descriptor)
    UseFilters(new ErrorsAsTheyAre())(target, name, descriptor)
  }
}
