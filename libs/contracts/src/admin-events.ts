/** The operator's console: events that a handler failed on, and events of the payment provider that need a person. Served by escrow-svc. */
import { MAX_PROVIDER_EVENTS_MARKED, PROVIDER_EVENT_REASONS } from '@holdfast/kernel/admin'
import { z } from 'zod'
import { SearchText, WithReason } from './admin-fields.js'
import { IdParams, IntegerId, PageQuery, Timestamp, Uuid } from './fields.js'
import { route } from './route.js'

export const DeadLetter = z.object({
  id: IntegerId,
  /** The service whose handler failed. */
  group: z.string(),
  topic: z.string(),
  key: z.string(),
  type: z.string(),
  eventId: Uuid,
  requestId: z.string().nullable(),
  attempts: z.number().int(),
  error: z.string(),
  at: Timestamp,
  occurredAt: Timestamp,
  replayRequestedAt: Timestamp.nullable(),
  replayedAt: Timestamp.nullable(),
})
export type DeadLetter = z.infer<typeof DeadLetter>

const EventForOperator = z.object({
  /** Of the provider's event, of our refund, or of the journal entry, by `why`. */
  id: z.string(),
  why: z.enum(PROVIDER_EVENT_REASONS),
  /** The type of the event, or the provider's id of the refund or the chargeback. */
  about: z.string(),
  transactionId: IntegerId.nullable(),
  at: Timestamp,
})
export type EventForOperator = z.infer<typeof EventForOperator>

export const eventAdminRoutes = {
  listDeadLetters: route({
    method: 'GET',
    path: '/api/admin/dead-letters',
    access: 'admin',
    summary: 'The events that a handler of any service failed on, newest first',
    query: PageQuery.extend({ type: SearchText.optional(), open: z.enum(['true', 'false']).default('true') }),
    response: z.array(DeadLetter),
  }),
  replayDeadLetter: route({
    method: 'POST',
    path: '/api/admin/dead-letters/{id}/replay',
    access: 'admin',
    record: { kind: 'deadLetter' },
    summary: 'Have a dead letter handled again by the service that failed on it',
    params: IdParams,
    body: WithReason,
    response: z.object({ requested: z.number().int() }),
    errors: ['NOT_FOUND'],
  }),
  replayDeadLetters: route({
    method: 'POST',
    path: '/api/admin/dead-letters/replay',
    access: 'admin',
    summary: 'Have every dead letter of a type handled again that has not been',
    body: WithReason.extend({ type: SearchText }),
    response: z.object({ requested: z.number().int() }),
  }),
  listEventsForOperators: route({
    method: 'GET',
    path: '/api/admin/provider-events/open',
    access: 'admin',
    summary:
      'The provider’s events that need an entry by hand or a decision and are not marked as done, the oldest first',
    query: PageQuery.omit({ before: true }).extend({ after: SearchText.optional() }),
    response: z.array(EventForOperator),
  }),
  countEventsForOperators: route({
    method: 'GET',
    path: '/api/admin/provider-events/open/count',
    access: 'admin',
    summary: 'How many events of the provider need an entry by hand or a decision and are not marked as done',
    response: z.object({ count: z.number().int() }),
  }),
  markProviderEventDone: route({
    method: 'POST',
    path: '/api/admin/provider-events/{id}/done',
    access: 'admin',
    record: { kind: 'providerEvent' },
    summary: 'Mark an event that needed an operator as done; the reason says what was done',
    params: z.object({ id: SearchText }),
    body: WithReason,
    response: z.object({ id: z.string() }),
    errors: ['NOT_FOUND'],
  }),
  markProviderEventsDone: route({
    method: 'POST',
    path: '/api/admin/provider-events/done',
    access: 'admin',
    summary: 'Mark several events of one reason as done with one act; those that are done already are left out',
    body: WithReason.extend({
      why: z.enum(PROVIDER_EVENT_REASONS),
      ids: z.array(SearchText).min(1).max(MAX_PROVIDER_EVENTS_MARKED),
    }),
    response: z.object({ marked: z.number().int() }),
    errors: ['NOT_FOUND'],
  }),
} as const
