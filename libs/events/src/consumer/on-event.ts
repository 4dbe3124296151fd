import type { EventDefinition, EventEnvelope, PayloadOf } from '@holdfast/contracts/events'
import { type ArgumentsHost, Catch, type RpcExceptionFilter, UseFilters } from '@nestjs/common'
import { Ctx, EventPattern, Payload } from '@nestjs/microservices'
import { type Observable, throwError } from 'rxjs'

/** What a handler is told beside the payload. */
export class EventContext {
  constructor(
    /** The event as it travelled; pass it to `once`. */
    readonly event: EventEnvelope,
    /** Counts from 1; more than 1 means that an earlier attempt failed or was cut off. */
    readonly attempt: number,
  ) {}
}

/** Nest would turn an unknown error into 'Internal server error'; the dead letters are to show what really happened. */
@Catch()
class ErrorsAsTheyAre implements RpcExceptionFilter<unknown> {
  catch(error: unknown, _host: ArgumentsHost): Observable<never> {
    return throwError(() => error)
  }
}

type EventHandler<D extends EventDefinition> = (payload: PayloadOf<D>, context: EventContext) => Promise<void>

/**
 * Marks a controller's method as the handler of one or more events: Nest's `@EventPattern`, with the parameters
 * `(payload, context)` in place and typed. What it rejects with is tried again, then goes to the dead letters.
 */
export function OnEvent<D extends EventDefinition>(...definitions: [D, ...D[]]) {
  return <H extends EventHandler<D>>(target: object, name: string, descriptor: TypedPropertyDescriptor<H>): void => {
    Payload()(target, name, 0)
    Ctx()(target, name, 1)
    EventPattern(definitions.map(definition => definition.type))(target, name, descriptor)
    UseFilters(new ErrorsAsTheyAre())(target, name, descriptor)
  }
}
