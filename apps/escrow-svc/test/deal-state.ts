import type { Who } from './deal-moves.js'
import type { LastMessage } from './provider-model.js'

/** The state of the buyer's latest payment. `confirmed`: the provider has the money and the escrow has not booked it. */
export type PaymentState = 'none' | 'open' | 'confirmed' | 'closed' | 'booked'

/** The state of a deal in the model. */
export interface ModelDeal {
  readonly status:
    | 'pending'
    | 'paid'
    | 'in_progress'
    | 'shipped'
    | 'inspection'
    | 'completed'
    | 'cancelled'
    | 'disputed'
  readonly payment: PaymentState
  readonly funded: boolean
  readonly strays: number
  readonly tracked: boolean
  readonly asIs: boolean
  /** Whether the seller has signed the terms, shipped or handed over. */
  readonly accepted: boolean
  /** What the escrow holds of the payment, in minor units. */
  readonly hold: number
  /** What the buyer pays, in minor units. */
  readonly total: number
  /** The part of it that is the buyer's fees. */
  readonly fee: number
  /** Set while the deal is disputed: by a dispute of a party, by the system for a late parcel, or by the provider. */
  readonly frozen: {
    readonly from: ModelDeal['status']
    readonly by: number | 'system' | 'provider'
    /** The seller has filed the dispute before they shipped. Their ship-by clock goes on. */
    readonly shipByGoesOn?: true
    /** The open chargebacks and inquiries. */
    readonly chargebacks: readonly string[]
    /** True while a part of the payment is gone. */
    readonly short: boolean
  } | null
  /** The last status of each refund and chargeback at the provider, by the messages that arrived. */
  readonly messages: Readonly<Record<string, LastMessage>>
  /** Whether the seller has paid their balance out, and whether a bank may have taken it back. Then it may be zero or below. */
  readonly paidOut: boolean
  readonly reclaimed: boolean
  /** The amounts of the chargebacks and inquiries of which messages came, by their ids: of what is decided zero. */
  readonly atBank: Readonly<Record<string, number>>
  /** The disputes that have ended, in the order of their numbers. */
  readonly ended: readonly number[]
  /** With what a dispute has ended the deal; null when none has. */
  readonly settled: string | null
  /** The first answer to each idempotency key. */
  readonly answers: Readonly<Record<string, string>>
}

/** A deal that was just opened. */
export const newDeal = (asIs: boolean, accepted: boolean, total: number, fee: number): ModelDeal => ({
  status: 'pending',
  payment: 'none',
  funded: false,
  strays: 0,
  tracked: false,
  asIs,
  accepted,
  hold: 0,
  total,
  fee,
  frozen: null,
  messages: {},
  paidOut: false,
  reclaimed: false,
  atBank: {},
  ended: [],
  settled: null,
  answers: {},
})

/** The HTTP status and, after a success, the deal's status: `200 paid`, `409`. */
export type Answer = string

/** A possible result of a step: the deal after it, and the answer if the step ends the move. */
export interface Outcome {
  readonly deal: ModelDeal
  readonly answer?: Answer
}
/** `alone` is true when no other move is made at the same time. */
export type Step = (deal: ModelDeal, alone: boolean) => readonly Outcome[]

/** The statuses in which a deal holds its money and is not disputed. */
export const FUNDED: readonly string[] = ['paid', 'in_progress', 'shipped', 'inspection']

/** A disputed deal has other exits when the system or the provider stopped it. */
export function stateOf({ status, frozen }: ModelDeal): string {
  if (frozen?.chargebacks.length) return 'charged_back'
  if (frozen?.short) return 'short'
  return frozen?.by === 'system' ? 'overdue' : status
}

/** The only outcome of a step that ends the move. */
export const answer = (deal: ModelDeal, text: Answer): Outcome[] => [{ deal, answer: text }]

/** Ends a deal, which holds nothing afterwards. */
export const endAs =
  (status: 'completed' | 'cancelled') =>
  (deal: ModelDeal): ModelDeal => ({ ...deal, status, hold: 0, frozen: null })

/** Refunds everything that a deal holds. A dispute of a party that stops the deal ends with it. */
export const refundInFull = (deal: ModelDeal): ModelDeal => {
  const by = deal.frozen?.by
  const ended = typeof by === 'number' ? [...deal.ended, by].sort((a, b) => a - b) : deal.ended
  return endAs('cancelled')({ ...deal, ended })
}

/** Stops a deal. */
export const freeze = (deal: ModelDeal, by: number | 'system', who?: Who): ModelDeal => ({
  ...deal,
  status: 'disputed',
  frozen: {
    ...{ from: deal.status, by, chargebacks: [], short: false },
    ...(who === 'seller' && deal.status === 'paid' && { shipByGoesOn: true }),
  },
})
