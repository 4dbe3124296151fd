import type { EventDefinition, EventEnvelope, PayloadOf } from '@holdfast/contracts/events'
import { assert } from '@holdfast/kernel/assert'
import { newId } from '@holdfast/kernel/ids'
import { currentRequestId } from '@holdfast/service-kit/logging'
import { currentTraceparent } from '@holdfast/service-kit/telemetry'
import type { z } from 'zod'

/** The longest payload an event may have, as JSON: events say what happened, they do not carry documents. */
export const MAX_PAYLOAD_BYTES = 256 * 1024

/**
 * Makes an event. Its payload is parsed here already, so that a payload unlike its schema is the writer's fault and not
 * a surprise for every reader; fields the schema does not declare are stripped. It carries the id and the trace of the
 * request that runs, so that whatever its readers do can be traced back to it.
 *
 * @param key the aggregate's id: events of one key are read in the order in which they were written
 * @param occurredAt when it happened, by the clock of the command that did it
 * @throws ZodError when the payload is not what the definition says
 */
export function newEvent<D extends EventDefinition>(
  definition: D,
  key: string | number | bigint,
  payload: z.input<D['payload']>,
  occurredAt: Date,
): EventEnvelope<PayloadOf<D>> {
  const text = String(key)
  const requestId = currentRequestId()
  const traceparent = currentTraceparent()
  assert(text !== '', `an event of type ${definition.type} needs a key`)
  return {
    id: newId(),
    type: definition.type,
    topic: definition.topic,
    key: text,
    payload: definition.payload.parse(payload) as PayloadOf<D>,
    occurredAt: occurredAt.toISOString(),
    ...(requestId !== undefined && { requestId }),
    ...(traceparent !== undefined && { traceparent }),
  }
}
