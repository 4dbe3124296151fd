/** The system's texts about the steps of a dispute. Each says what happened and what comes next. */
import type { disputeProgressed, PayloadOf } from '@holdfast/contracts/events'
import {
  DISPUTE_CLOCK_DAYS,
  type DisputeClock,
  type DisputeStep,
  partOfPrice,
  RULING_TEXTS,
} from '@holdfast/kernel/disputes'
import type { Announcement } from './announcement.js'

export type DisputeProgress = PayloadOf<typeof disputeProgressed>

interface StepText {
  /** The title of the notification. */
  readonly title: string
  /** What both parties read, in the chat and as a notification. */
  readonly text: string
}

const who = ({ by }: DisputeProgress): string =>
  ({ buyer: 'The buyer', seller: 'The seller', mediator: 'A mediator', carrier: 'The carrier', system: 'The system' })[
    by
  ]

const part = ({ refund, currency }: DisputeProgress): string => partOfPrice(refund, currency)

/** "The buyer proposes to get $40.00 of the price back." */
const proposalText = (progress: DisputeProgress): string =>
  `${who(progress)} proposes ${progress.by === 'buyer' ? 'to get' : 'that the buyer gets'} ${part(progress)} back.`

/** What is to be done before a time limit ends, for a reminder. */
const TO_DO: Readonly<Record<DisputeClock, string>> = {
  response: 'The time to answer the dispute ends within a day. Afterwards the case goes on without an answer.',
  first_look: 'A mediator looks at the case within a day.',
  ruling: 'A mediator rules within a day.',
  second_ruling: 'A mediator decides within a day.',
  appeal: 'The time to appeal ends within a day. Afterwards the ruling is carried out.',
  return_shipping: 'The time to ship the item back ends within a day. Afterwards the seller is paid.',
  return_arrival: 'The item should be back with the seller within a day. Otherwise a mediator decides.',
  return_check: 'The time to contest what came back ends within a day. Afterwards the buyer is refunded in full.',
}

/** The ruling, and what a party can still do about it. */
function ruledText(progress: DisputeProgress): string {
  const { ruling } = progress
  if (!ruling) return 'A mediator has ruled. The ruling is in the case.'
  const what = RULING_TEXTS[ruling.outcome](part(progress))
  const then = ruling.isFinal
    ? 'This decision is final.'
    : `Either side can appeal within ${DISPUTE_CLOCK_DAYS.appeal} days, once. The money stays held until then.`
  return `A mediator has ruled: ${what} ${then}`
}

/** Null for a step of which another event tells the parties. */
const TEXTS: Readonly<Record<DisputeStep, ((progress: DisputeProgress) => StepText | null) | null>> = {
  filed: null,
  withdrawn: null,
  closed: null,
  return_confirmed: null,
  // The events of the deal say what the bank does.
  time_stopped: null,
  time_resumed: null,
  // The first entry of the other side is their answer, and `evidence_added` says who has added it.
  answered: null,
  response_ended: () => ({
    title: 'No answer in time',
    text: 'The time to answer the dispute has ended. A mediator now looks at the case. Both sides can still add evidence.',
  }),
  investigation_begun: () => ({ title: 'Mediation begins', text: 'A mediator has taken the case.' }),
  taken_over: () => ({ title: 'Mediator changed', text: 'Another mediator has taken the case over.' }),
  notes_written: () => ({
    title: 'Notes of the mediator',
    text: 'The mediator has written notes for both of you. They are in the case.',
  }),
  evidence_added: progress => ({
    title: 'New evidence',
    text: `${who(progress)} added evidence to the dispute.`,
  }),
  settlement_proposed: progress => ({
    title: 'Settlement proposed',
    text: `${proposalText(progress)} The other side can accept, decline or propose another amount.`,
  }),
  settlement_declined: progress => ({
    title: 'Settlement declined',
    text: `${who(progress)} declined the proposal that the buyer gets ${part(progress)} back.`,
  }),
  settlement_agreed: progress => ({
    title: 'Dispute settled',
    text: `Buyer and seller agreed on a settlement: the buyer gets ${part(progress)} back.`,
  }),
  ruled: progress => ({ title: 'Ruling of the mediator', text: ruledText(progress) }),
  // A final ruling moves the money, and that is an event of its own. A return waits for the buyer first.
  ruling_final: ({ ruling }) =>
    ruling?.outcome === 'return_exchange'
      ? {
          title: 'The item goes back',
          text: `The ruling is final. Next: the buyer sends the item back within ${DISPUTE_CLOCK_DAYS.return_shipping} days, and enters the tracking number in the case. If nothing is shipped by then, the seller is paid.`,
        }
      : null,
  appeal_waived: progress => ({
    title: 'Right to appeal given up',
    text: `${who(progress)} has given up the right to appeal. When both sides have, the ruling is carried out at once.`,
  }),
  appealed: progress => ({
    title: 'Ruling appealed',
    text: `${who(progress)} has appealed. Another mediator decides, and that decision is final.`,
  }),
  return_shipped: () => ({
    title: 'Item on its way back',
    text: 'The buyer has shipped the item back. When the seller has it, the buyer is refunded in full.',
  }),
  return_delivered: () => ({
    title: 'Item is back',
    text: `The carrier has delivered the item to the seller. The seller can contest what came back within ${DISPUTE_CLOCK_DAYS.return_check} days. Afterwards the buyer is refunded in full.`,
  }),
  return_contested: () => ({
    title: 'Return contested',
    text: 'The seller contests what came back. A mediator decides, and that decision is final.',
  }),
  return_not_shipped: () => ({
    title: 'Item was not shipped back',
    text: 'The item was not shipped back in time. The seller is paid.',
  }),
  return_not_arrived: () => ({
    title: 'Return did not arrive',
    text: 'The item did not arrive back in time. A mediator decides, and that decision is final.',
  }),
  not_carried_out: () => ({
    title: 'Decision not carried out',
    text: 'The decision about the dispute could not be carried out, because the payment has changed meanwhile. The case goes on, and the money stays held.',
  }),
  reminded: progress => ({ title: 'Time is running out', text: TO_DO[progress.clock ?? 'response'] }),
  escalated: () => ({
    title: 'A mediator is late',
    text: 'The mediator is late with this case. An operator was notified. Nothing is decided by this, and the money stays held.',
  }),
  time_extended: () => ({
    title: 'More time',
    text: 'Holdfast was not available for a while. Each time limit of the dispute that ran was extended by that time. The new dates are in the case.',
  }),
}

/** Makes the announcement of a step; null when another event announces it. A party that acted itself is not notified. */
export function announcementOfStep(progress: DisputeProgress): Announcement | null {
  const made = TEXTS[progress.step]?.(progress)
  if (!made) return null
  const message = `“${progress.title}”: ${made.text}`
  const parties = [
    { userId: progress.buyerId, role: 'buyer' },
    { userId: progress.sellerId, role: 'seller' },
  ] as const
  const isNotified = (role: 'buyer' | 'seller') =>
    progress.step === 'reminded' ? progress.turn === role || progress.turn === 'both' : progress.by !== role
  return {
    chat: made.text,
    notifications: parties
      .filter(({ role }) => isNotified(role))
      .map(({ userId }) => ({ userId, title: made.title, message })),
    hidden: false,
    // The event of the deal says it.
    ended: false,
    dispute: progress.disputeId,
  }
}
