import { type DisputeStep, RULING_TEXTS, type RulingOutcome } from '@holdfast/kernel/disputes'

/** Each step of a dispute in a sentence that both parties and mediators read. `amount` is null for all that is held. */
export const STEP_TEXTS: Record<DisputeStep, (amount: string | null, outcome?: RulingOutcome) => string> = {
  filed: () => 'The dispute was filed. The transaction is on hold, and the money stays held.',
  answered: () => 'The other side has answered. A mediator looks at the case.',
  response_ended: () => 'The time to answer has ended. A mediator looks at the case.',
  investigation_begun: () => 'A mediator has taken the case.',
  evidence_added: () => 'Evidence was added.',
  settlement_proposed: amount => `A settlement was proposed: the buyer gets ${amount ?? 'everything'} back.`,
  settlement_declined: amount => `The settlement over ${amount ?? 'everything'} was declined.`,
  settlement_agreed: amount => `Buyer and seller agreed: the buyer gets ${amount ?? 'everything'} back.`,
  ruled: (amount, outcome) =>
    outcome ? `A mediator has ruled: ${RULING_TEXTS[outcome](amount ?? 'everything')}` : 'A mediator has ruled.',
  appeal_waived: () => 'The right to appeal was given up.',
  appealed: () => 'An appeal was made. Another mediator decides, and that decision is final.',
  ruling_final: () => 'The ruling is final.',
  return_shipped: () => 'The buyer has shipped the item back.',
  return_delivered: () => 'The carrier has delivered the item to the seller.',
  return_confirmed: () => 'The seller has the item back.',
  return_contested: () => 'The seller contests what came back. A mediator decides.',
  return_not_shipped: () => 'The item was not shipped back in time.',
  return_not_arrived: () => 'The item did not arrive back in time. A mediator decides.',
  not_carried_out: () =>
    'The decision could not be carried out, because the payment has changed meanwhile. The case goes on, and the money stays held.',
  reminded: () => 'A reminder was sent: the time limit ends in a day.',
  escalated: () => 'A mediator’s time limit has passed. An operator was notified.',
  time_extended: () => 'Holdfast was not available for a while. Each time limit that ran was extended by that time.',
  withdrawn: () => 'The dispute was withdrawn. The transaction goes on.',
  closed: () => 'The dispute is closed.',
}
