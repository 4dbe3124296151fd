import type { DealStatus, TimelineKind } from '@holdfast/kernel/deals'
import type pg from 'pg'

/**
 * The events that belong to each kind of timeline entry, or to a kind with a status. A kind without events is left out.
 */
const EVENTS_OF: Partial<Record<TimelineKind | `${TimelineKind} ${DealStatus}`, readonly string[]>> = {
  open: ['opened'],
  recordFunds: ['paid'],
  secureFunds: ['secured'],
  returnFunds: ['funds_returned'],
  paymentFailed: ['payment_failed'],
  cryptoReturned: ['payment_failed'],
  startHandover: ['handover_started'],
  saveTracking: ['shipped'],
  correctTracking: ['shipped'],
  recordDelivery: ['delivered'],
  confirmDelivery: ['delivered'],
  inspect: ['inspection_started'],
  complete: ['completed'],
  refund: ['refunded', 'cancelled'],
  endShipBy: ['refunded', 'cancelled'],
  forceRefund: ['refunded', 'cancelled'],
  cancel: ['cancelled'],
  endPaymentWindow: ['cancelled'],
  freeze: ['disputed'],
  endReceiveBy: ['disputed'],
  resume: ['resumed'],
  chargebackFreeze: ['disputed'],
  chargebackOpened: ['chargeback_opened'],
  chargebackWon: ['chargeback_closed'],
  chargebackLost: ['chargeback_closed', 'cancelled'],
  chargebackBooked: ['chargeback_closed'],
  'providerRefundBooked disputed': ['refunded'],
  providerRefundFreeze: ['refunded', 'disputed'],
  providerRefundInFull: ['refunded', 'cancelled'],
  providerRefundFailed: ['refund_failed'],
  refundFailed: ['refund_failed'],
  endDispute: ['dispute_ended'],
  // `modelled-deal.ts` gives a part back as a settlement, everything as a return, and nothing as a ruling.
  'settlement released': ['refunded'],
  'settlement cancelled': ['refunded', 'cancelled'],
  'ruling cancelled': ['refunded', 'cancelled'],
  'return cancelled': ['refunded', 'cancelled'],
}

interface TimelineStep {
  readonly kind: TimelineKind
  readonly status: DealStatus
  readonly actor: string
  readonly at: string
}

interface PublishedEvent extends Pick<TimelineStep, 'actor' | 'at'> {
  readonly type: string
}

/** The number of events in the outbox that are not published yet. */
export async function waitingEvents(database: pg.Pool): Promise<number> {
  return (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM escrow.outbox')).rows[0]!.n
}

/**
 * Deals whose published events differ from their timeline: in kind, actor, time or order. Call it once the outbox is empty.
 */
export async function eventDifferences(database: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await database.query<{ id: string; steps: TimelineStep[]; events: PublishedEvent[] }>(
    `SELECT deal.id, (SELECT json_agg(json_build_object('kind', kind, 'status', status, 'actor', actor, 'at', at)
         ORDER BY f.version, f.id) FROM escrow.timeline f WHERE f.transaction_id = deal.id) AS steps,
       coalesce((SELECT json_agg(json_build_object('type', type, 'actor', payload ->> 'actor', 'at', payload ->> 'at')
         ORDER BY l.position) FROM events.log l WHERE l.topic = 'escrow.transaction' AND l.key = deal.id::text), '[]')
         AS events FROM escrow.transaction deal`,
  )
  return rows.flatMap(({ id, steps, events }) => {
    const expected = steps.flatMap(step =>
      (EVENTS_OF[step.kind] ?? EVENTS_OF[`${step.kind} ${step.status}`] ?? []).map(name => describeStep(name, step)),
    )
    const found = events.map(event => describeStep(event.type.split('.')[2]!, event))
    const [first, second] = [expected.join(', '), found.join(', ')]
    return first === second ? [] : [`deal ${id} should have published “${first}” and published “${second}”`]
  })
}

const describeStep = (name: string, { actor, at }: Pick<TimelineStep, 'actor' | 'at'>) =>
  `${name} by ${actor} at ${new Date(at).toISOString()}`
