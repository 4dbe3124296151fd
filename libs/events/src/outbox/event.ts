import type { EventDefinition, EventEnvelope, PayloadOf } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { newId } from '@holdfast/kernel/ids'
import { currentRequestId } from '@holdfast/service-kit/telemetry/logging'
import { currentTraceparent } from '@holdfast/service-kit/telemetry/telemetry'
import type { z } from 'zod'

/** The longest payload an event may have, as JSON: events say what happened, they do not carry documents. */
export const MAX_PAYLOAD_BYTES = 256 * 1024

/** Where an event came from: what ties it, and whatever its readers do, to the request that caused it. */
export interface EventOrigin {
  readonly requestId?: string
  readonly traceparent?: string
}

/** The origin of what is done because of an event: the request that caused the event. */
export function originOf({ id, requestId, traceparent }: EventEnvelope): EventOrigin {
  return { requestId: requestId ?? id, ...(traceparent !== undefined && { traceparent }) }
}

/** The request or event the running code belongs to. */
export function currentOrigin(): EventOrigin {
  const requestId = currentRequestId()
  const traceparent = currentTraceparent()
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) }
}

/**
 * Makes an event. Its payload is parsed here already, so that a payload unlike its schema is the writer's fault and not
 * a surprise for every reader; fields the schema does not declare are stripped.
 *
 * @param key the aggregate's id: events of one key are read in the order in which they were written
 * @param occurredAt when it happened, by the clock of the command that did it
 * @param origin the request that caused it; the running one when left out
 * @throws ZodError when the payload is not what the definition says
 */
export function newEvent<D extends EventDefinition>(
  definition: D,
  key: string | number | bigint,
  payload: z.input<D['payload']>,
  occurredAt: Date,
  origin: EventOrigin = currentOrigin(),
): EventEnvelope<PayloadOf<D>> {
  const text = String(key)
  assert(text !== '', `an event of type ${definition.type} needs a key`)
  return {
    id: newId(),
    type: definition.type,
    topic: definition.topic,
    key: text,
    payload: definition.payload.parse(payload) as PayloadOf<D>,
    occurredAt: occurredAt.toISOString(),
    ...origin,
  }
}
