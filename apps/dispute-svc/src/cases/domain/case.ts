/** A dispute's case, its commands and their changes, as the rules see them. Nothing here depends on the database. */
import type { SettlementCause } from '@holdfast/kernel/deals'
import type { DisputeClock, DisputeReason, DisputeStep, RulingOutcome } from '@holdfast/kernel/disputes'
import type { Currency } from '@holdfast/kernel/money'
import type { ActorRole } from './life.js'
import type { Stage } from './stages.js'

export type Party = 'buyer' | 'seller'

/** What the rules read of a case. Amounts are minor units of `currency`. */
export interface Case {
  readonly id: number
  readonly transactionId: number
  /** What was sold. */
  readonly title: string
  readonly stage: Stage
  readonly buyerId: string
  readonly sellerId: string
  /** Null when the system filed it. */
  readonly reporterId: string | null
  readonly reason: DisputeReason
  readonly currency: Currency
  readonly createdAt: Date
  readonly clocks: readonly CaseClock[]
  /** The parties' proposals that are open: at most one of each. */
  readonly proposals: readonly CaseProposal[]
  /** The latest ruling. */
  readonly ruling: CaseRuling | null
  /** The mediator who has taken the case last; null while none has. */
  readonly takenBy: string | null
  /** Whether the buyer's bank decides about a chargeback. Until it has, no time limit runs and nothing is decided about the money. */
  readonly waitsForBank: boolean
  /** Who made and approved the ruling that was appealed: they decide no more in this case. */
  readonly appealedMediators: readonly string[]
  /** The ruling that waits for a second admin. */
  readonly rulingRequest: CaseRulingRequest | null
  /** Whether the seller has contested what came back. They can do so once. */
  readonly returnContested: boolean
  /** How many entries of evidence each party has added, and how many proposals each has made. */
  readonly evidenceOf: Readonly<Record<Party, number>>
  readonly proposalsOf: Readonly<Record<Party, number>>
  /** How often the buyer has given a tracking number of the return. */
  readonly returnShipments: number
  /** The tracking number of the return; null while there is none. */
  readonly returnNumber: string | null
  readonly returnCarrier: string | null
}

/** An amount of the price that a party proposes to give back to the buyer. */
export interface CaseProposal {
  readonly id: string
  readonly by: Party
  readonly refundMinor: bigint
  /** The price that the deal held when it was proposed. Null for one of an older release. */
  readonly heldMinor: bigint | null
}

/** A time limit that runs. */
export interface CaseClock {
  readonly id: string
  readonly kind: DisputeClock
  readonly dueAt: Date
  /** Set when it passed on the mediator's side. */
  readonly escalatedAt: Date | null
}

export interface CaseRuling {
  readonly id: string
  readonly outcome: RulingOutcome
  /** Null when the buyer gets back all that is held. */
  readonly refundMinor: bigint | null
  /** The price that the deal held at a ruling over a part of it; null for any other ruling. */
  readonly heldMinor: bigint | null
  readonly resolution: string
  readonly mediatorId: string
  readonly waivedBy: readonly Party[]
}

/** A ruling that a mediator asks for, and that a second admin approves or rejects. */
export interface CaseRulingRequest
  extends Pick<CaseRuling, 'id' | 'outcome' | 'refundMinor' | 'heldMinor' | 'resolution'> {
  readonly askedBy: string
  /** All that the deal held when it was asked for. */
  readonly amountMinor: bigint
  readonly expiresAt: Date
}

/** A step that a user, a time limit or the carrier asks for, with its input. */
export type CaseCommand =
  | { readonly type: 'investigate'; readonly adminNotes: string | null; readonly takeOver: boolean }
  | { readonly type: 'addEvidence' }
  | { readonly type: 'propose'; readonly refundMinor: bigint }
  | { readonly type: 'agree'; readonly proposalId: string; readonly refundMinor: bigint }
  | { readonly type: 'declineProposal'; readonly proposalId: string }
  | { readonly type: 'rule'; readonly ruling: Pick<CaseRuling, 'outcome' | 'refundMinor' | 'resolution'> }
  | { readonly type: 'approveRuling' | 'rejectRuling'; readonly requestId: string; readonly reason: string }
  | { readonly type: 'appeal' | 'contestReturn'; readonly reason: string }
  | {
      readonly type: 'shipReturn'
      readonly trackingNumber: string
      readonly carrier: string | null
      /** A correction writes only what is among these; all of it when this is undefined. */
      readonly changed?: readonly string[] | undefined
    }
  | {
      readonly type:
        | 'waiveAppeal'
        | 'endResponse'
        | 'endAppeal'
        | 'endReturnShipping'
        | 'endReturnArrival'
        | 'endReturnCheck'
        | 'recordReturnDelivery'
        | 'confirmReturn'
    }

/** Everything else that a decision depends on. */
export interface CaseCircumstances {
  readonly role: ActorRole
  /** The user who takes the step; null for a time limit and the carrier. */
  readonly userId: string | null
  /** The database's time when the case was read. */
  readonly now: Date
  /** The length of a day in seconds: 86,400 in production, less in a demo or a test. */
  readonly daySeconds: number
  /** The price that the deal holds, in minor units, for a decision about a part of it. */
  readonly heldMinor?: bigint
  /** For a ruling: all that the deal holds, and whether that needs a second admin. */
  readonly amountMinor?: bigint
  readonly needsSecondAdmin?: boolean
  /** For a ruling: the admins whose word counts for acts that need two. */
  readonly approvers?: readonly string[]
  readonly newId: () => string
}

/** What escrow is to post. */
export interface CaseSettlement {
  /** What the buyer gets back of the price; null for all that is held. */
  readonly refundMinor: bigint | null
  /** The price that the deal must still hold; null when this holds for any. */
  readonly heldMinor: bigint | null
  readonly cause: SettlementCause
  /** The user whose step decided it; null when a time limit did. */
  readonly by: string | null
  /** How the dispute ended, in words that both parties read. */
  readonly resolution: string
}

/** Everything that one command changes. All of it is written, or nothing. */
export interface CaseChange {
  readonly stage: Stage
  readonly clocks: {
    readonly started: readonly Omit<CaseClock, 'escalatedAt'>[]
    readonly ended: readonly DisputeClock[]
  }
  /** The steps of the change, in order, for the history and the parties' notifications. */
  readonly steps: readonly CaseStep[]
  readonly adminNotes?: string
  /** A new proposal of the acting party. It supersedes their older one. */
  readonly proposal?: CaseProposal
  /** What becomes of proposals that were open. */
  readonly closedProposals?: readonly {
    readonly id: string
    readonly state: 'superseded' | 'declined' | 'accepted' | 'ended'
  }[]
  readonly ruling?: Omit<CaseRuling, 'waivedBy'> & { readonly isOnAppeal: boolean; readonly approvedBy: string | null }
  /** A ruling that waits for a second admin. It replaces one that waits already. */
  readonly askedRuling?: Omit<CaseRulingRequest, 'expiresAt'>
  /** What becomes of the ruling that waits. */
  readonly decidedRuling?: {
    readonly requestId: string
    readonly id: string
    readonly state: 'approved' | 'rejected'
    readonly by: string
    readonly reason: string
  }
  readonly waiver?: { readonly rulingId: string; readonly by: Party }
  readonly appeal?: { readonly by: Party; readonly reason: string }
  readonly shipment?: { readonly trackingNumber: string; readonly carrier: string | null }
  readonly returnDelivered?: true
  readonly contest?: { readonly reason: string }
  readonly settlement?: CaseSettlement
}

export interface CaseStep {
  readonly step: DisputeStep
  /** An amount that the step is about: proposed, agreed or ruled. */
  readonly refundMinor?: bigint | null
  /** The ruling that the step is about. */
  readonly ruling?: { readonly outcome: RulingOutcome; readonly isFinal: boolean }
}

/** The clocks that are the mediators'. When one passes, it is escalated and decides nothing. */
export const MEDIATORS_CLOCKS: ReadonlySet<DisputeClock> = new Set(['first_look', 'ruling', 'second_ruling'])

/** The steps by which a mediator takes a case. */
export const TAKING_STEPS = ['investigation_begun', 'taken_over'] as const satisfies readonly DisputeStep[]
/** The steps with which a mediator may leave notes. */
export const STEPS_WITH_NOTES: readonly DisputeStep[] = [...TAKING_STEPS, 'notes_written']

/** Which party a user is; null for anyone else. */
export const partyIn = ({ buyerId, sellerId }: Pick<Case, 'buyerId' | 'sellerId'>, userId: string): Party | null =>
  userId === buyerId ? 'buyer' : userId === sellerId ? 'seller' : null

export const otherParty = (party: Party): Party => (party === 'buyer' ? 'seller' : 'buyer')

/** The parties who may still answer the filing: the other one, or both when the system filed it. */
export function answering(dispute: Pick<Case, 'buyerId' | 'sellerId' | 'reporterId'>): readonly Party[] {
  const reporter = dispute.reporterId === null ? null : partyIn(dispute, dispute.reporterId)
  return reporter ? [otherParty(reporter)] : ['buyer', 'seller']
}

/** Whether a time limit of this kind runs. */
export const runs = ({ clocks }: Pick<Case, 'clocks'>, kind: DisputeClock): boolean =>
  clocks.some(clock => clock.kind === kind)
