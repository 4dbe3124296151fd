import type { EventRecord } from './records.js'
import { seconds } from './render-time.js'

/** The version of the provider's API whose forms the sandbox writes; the SDK's own pin. */
export const API_VERSION = '2026-08-26.dahlia'

/** An event as the provider writes it, both in answers and in the body of a webhook. */
export function renderEvent(event: EventRecord, pendingWebhooks: number) {
  return {
    id: event.id,
    object: 'event',
    ...(event.account !== undefined && { account: event.account }),
    api_version: API_VERSION,
    created: seconds(event.createdAt),
    data: {
      object: JSON.parse(event.objectJson) as unknown,
      ...(event.previous ? { previous_attributes: event.previous } : {}),
    },
    livemode: false,
    pending_webhooks: pendingWebhooks,
    request: { id: event.requestId, idempotency_key: event.idempotencyKey },
    type: event.type,
  } as const
}
