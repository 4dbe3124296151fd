import type { Transaction } from '@holdfast/contracts/transactions'
import type { PartyUser } from '@holdfast/contracts/users'
import type { Stop } from './stops.js'

/** What the money line needs of a deal; a `Transaction` as the server answers it fits. */
export interface MoneyLineDeal
  extends Pick<
    Transaction,
    | 'status'
    | 'amount'
    | 'currency'
    | 'viewerRole'
    | 'turn'
    | 'clock'
    | 'money'
    | 'completesOnDelivery'
    | 'paymentProcessing'
    | 'waitsForBank'
    | 'chargeback'
    | 'refund'
    | 'actions'
    | 'sellerAccepted'
    | 'openedBy'
    | 'trackingNumber'
  > {
  readonly buyer: Pick<PartyUser, 'firstName'>
  readonly seller: Pick<PartyUser, 'firstName'>
}

/** `due`: not sent yet; `moving`: sent, not final; `held`; `frozen`: held, and in dispute; `arrived`: where it ends. */
export type MarkTone = 'due' | 'moving' | 'held' | 'frozen' | 'arrived'

/** An amount at a place of the line. */
export interface Mark {
  readonly at: Stop
  readonly amount: string
  readonly tone: MarkTone
}

export interface MoneyLineView {
  readonly buyerName: string
  readonly sellerName: string
  readonly currency: string
  /** Where the money is: one mark, or two when it was divided; none when nothing was ever paid; null when the server cannot say. */
  readonly marks: readonly Mark[] | null
  /** Whose turn it is, for the colour: amber is for `you` alone. `none`: the deal goes on and no party has to act. */
  readonly waitsFor: 'you' | 'other' | 'none' | 'mediator' | 'over'
  /** Who must do what, by when: "Your turn: ship by Thu, Dec 4". */
  readonly turn: string
  /** What moves the money next, and what happens when no party acts. */
  readonly next: string
}
