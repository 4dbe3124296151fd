import { type DisputeStep, RULING_TEXTS, type RulingOutcome } from '@holdfast/kernel/disputes'

/**
 * Each step of a dispute in a sentence that both parties and mediators read. It says what happened, and stays true when the dispute has
 * ended. `part` is what the buyer gets of the price (`partOfPrice`).
 */
export const STEP_TEXTS: Record<DisputeStep, (part: string, outcome?: RulingOutcome) => string> = {
  filed: () => 'The dispute was filed, and the transaction was put on hold.',
  answered: () => 'The dispute was answered with evidence.',
  response_ended: () => 'The time to answer ended.',
  investigation_begun: () => 'A mediator took the case.',
  taken_over: () => 'Another mediator took the case over.',
  notes_written: () => 'The mediator wrote notes for both parties.',
  evidence_added: () => 'Evidence was added.',
  settlement_proposed: part => `A settlement was proposed: the buyer gets ${part} back.`,
  settlement_declined: part => `The proposal that the buyer gets ${part} back was declined.`,
  settlement_agreed: part => `Buyer and seller agreed: the buyer gets ${part} back.`,
  ruled: (part, outcome) =>
    outcome ? `A mediator has ruled: ${RULING_TEXTS[outcome](part)}` : 'A mediator has ruled.',
  appeal_waived: () => 'The right to appeal was given up.',
  appealed: () => 'An appeal was made. The decision about it is final.',
  ruling_final: () => 'The ruling is final.',
  return_shipped: () => 'The buyer has shipped the item back.',
  return_delivered: () => 'The carrier has delivered the item to the seller.',
  return_confirmed: () => 'The seller has the item back.',
  return_contested: () => 'The seller contested what came back.',
  return_not_shipped: () => 'The item was not shipped back in time.',
  return_not_arrived: () => 'The item did not arrive back in time.',
  not_carried_out: () =>
    'The decision could not be carried out, because the payment had changed meanwhile. The case went on.',
  reminded: () => 'A reminder was sent, a day before the end of a time limit.',
  escalated: () => 'A mediator’s time limit passed. An operator was notified.',
  time_extended: () => 'Holdfast was not available for a while. Each time limit that ran was extended by that time.',
  time_stopped: () => 'The buyer’s bank disputed the payment, so the time limits of this dispute were stopped.',
  time_resumed: () =>
    'The bank decided, as the history of the transaction says. Each time limit went on with the time that was left.',
  withdrawn: () => 'The dispute was withdrawn, and the transaction went on.',
  closed: () => 'The dispute was closed.',
}
