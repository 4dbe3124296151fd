import type { ProviderMessage } from './provider-model.js'

export type Who = 'buyer' | 'seller' | 'stranger'

/** Something that a party, the provider, the carrier, dispute-svc or a clock does. */
export type Move =
  | { readonly move: 'pay'; readonly who: Who; readonly key: string }
  | {
      readonly move: 'cancel' | 'accept' | 'confirmDelivery' | 'saveTracking' | 'refund'
      readonly who: Who
      readonly key: string | null
    }
  | { readonly move: 'handover'; readonly who: Who }
  | { readonly move: 'payAtProvider'; readonly good: boolean }
  | { readonly move: 'webhookSucceeded' | 'webhookDeclined' }
  | { readonly move: 'passDeadline' | 'fireTimers' | 'webhookDelivered' }
  | { readonly move: 'freeze'; readonly who: Who; readonly dispute: number }
  | { readonly move: 'resume'; readonly dispute: number }
  /** An operator refunds the deal in full. Above an amount it only becomes a request. */
  | { readonly move: 'forceRefund' }
  /** Ends a dispute with money: the buyer gets nothing, ten cents, or all of the price back. */
  | { readonly move: 'settle'; readonly dispute: number; readonly back: 'nothing' | 'ten cents' | 'all' }
  /** An operator at the provider, and the buyer's bank. The escrow learns of them by messages only. */
  | { readonly move: 'refundByHand'; readonly part: boolean }
  | { readonly move: 'endRefund'; readonly outcome: 'settle' | 'fail' }
  | { readonly move: 'openChargeback' }
  | { readonly move: 'closeChargeback'; readonly outcome: 'won' | 'lost' }
  /** A bank that has decided decides otherwise. */
  | { readonly move: 'decideAgain' }
  /** A message of the provider: any of those that it has sent or will send, so they come late, twice and in any order. */
  | { readonly move: 'sendMessage'; readonly nth: number; readonly copy: boolean }
  | { readonly move: 'sendInquiry'; readonly closed: boolean }
  | { readonly move: 'sendForeign' }
  /** The seller pays their balance out, the timers take its next step, their bank takes or returns it, and a message about it comes. */
  | { readonly move: 'payOut'; readonly key: string }
  | { readonly move: 'sendPayouts' }
  | { readonly move: 'endPayout'; readonly outcome: 'settle' | 'fail' }
  | { readonly move: 'sendPayoutMessage'; readonly nth: number; readonly copy: boolean }

/** A move that was made. What a message says is known only when it was sent. */
export type MadeMove = Move | { readonly move: 'message'; readonly message: ProviderMessage }
