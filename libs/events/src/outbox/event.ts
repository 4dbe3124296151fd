import type { EventDefinition, EventEnvelope, PayloadOf } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { newId } from '@holdfast/kernel/ids'
import { currentRequestId } from '@holdfast/service-kit/telemetry/logging'
import { currentTraceparent } from '@holdfast/service-kit/telemetry/telemetry'
import type { z } from 'zod'

/** The longest payload of an event, as JSON. Events carry facts and no documents. */
export const MAX_PAYLOAD_BYTES = 256 * 1024

/** The id of an event. */
export const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The request that caused an event. The log lines and spans of its handlers carry the same ids. */
export interface EventOrigin {
  readonly requestId?: string
  readonly traceparent?: string
}

/** The origin of work that an event causes: the request that caused the event. */
export function originOf({ id, requestId, traceparent }: EventEnvelope): EventOrigin {
  return { requestId: requestId ?? id, ...(traceparent !== undefined && { traceparent }) }
}

/** The request or event the running code belongs to. */
function currentOrigin(): EventOrigin {
  const requestId = currentRequestId()
  const traceparent = currentTraceparent()
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) }
}

/**
 * Makes an event. It parses the payload, so that an invalid payload fails here and not in every handler. Fields that the
 * schema does not declare are removed.
 *
 * @param key the aggregate's id; events of one key are delivered in the order in which they were written
 * @param occurredAt when it happened, by the time of the command that caused it
 * @param origin the request that caused it; the running request when left out
 * @throws ZodError when the payload does not match the schema
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
