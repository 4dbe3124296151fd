import type { DisputeCaseRecord, Evidence, ListedDispute, QueuedDisputeRecord } from '@holdfast/contracts/disputes'
import type { SettlementTerms } from '@holdfast/contracts/transactions'
import {
  type DisputeAction,
  type DisputeRole,
  type DisputeStep,
  type DisputeTurn,
  partOfPrice,
  type RulingOutcome,
  SILENT_DISPUTE_DAYS,
} from '@holdfast/kernel/disputes'
import { formatAmount } from '@holdfast/kernel/money'
import { heldPriceMinor, settlementBasis } from '@holdfast/kernel/settlement'
import type { z } from 'zod'
import type { CaseFacts, CaseRecords, EvidenceRow, OpenedDispute } from './case-rows.js'
import { STEP_TEXTS } from './case-texts.js'
import { type DisputeEntity, isWithEscrow } from './dispute.entity.js'
import { toView } from './dispute-view.js'
import { type Case, type Party, partyIn } from './domain/case.js'
import { mayTake, stepOf } from './domain/life.js'
import { actionsOf, turnOf, turnOfClock } from './domain/turns.js'

type Terms = z.output<typeof SettlementTerms>

/** The reader of a case. */
export interface Reader {
  readonly userId: string
  readonly role: DisputeRole
}

/** A case as one of its readers sees it. */
export function toRecord(
  {
    row,
    dispute: stored,
    facts,
    records,
  }: OpenedDispute & { readonly facts: CaseFacts; readonly records: CaseRecords },
  reader: Reader,
  seen: { readonly terms: Terms | null; readonly now: Date; readonly daySeconds: number },
): z.input<typeof DisputeCaseRecord> {
  const dispute = withEscrowsAnswer(stored, seen.terms)
  const { currency } = dispute
  const amount = (minor: bigint) => formatAmount(minor, currency)
  // A ruling and its entry in the history are written with the same time.
  const ruledAt = (at: Date) => facts.rulings.find(ruling => ruling.at.getTime() === at.getTime())
  return {
    ...toView(row),
    currency,
    title: dispute.title,
    amount: row.priceMinor === null ? null : amount(row.priceMinor),
    viewerRole: reader.role,
    turn: turnNow(row, dispute),
    actions: isWithEscrow(row) ? [] : actionsOf(dispute, reader.role, reader.userId).filter(isPossible(seen.terms)),
    clocks: clocksOf(dispute),
    ...takenOf(dispute, reader),
    evidence: records.evidence.map(entry => toEvidence(row.id, entry)),
    proposals: facts.proposals.map(({ id, by, refund_minor, state, at }) => ({
      id,
      role: by,
      refundAmount: amount(BigInt(refund_minor)),
      state,
      at: at.toISOString(),
    })),
    rulings: facts.rulings.map((ruling, index) => ({
      outcome: ruling.outcome,
      refundAmount: amount(ruledMinor(ruling.refund_minor, row, seen.terms)),
      resolution: ruling.resolution,
      at: ruling.at.toISOString(),
      isOnAppeal: ruling.is_on_appeal,
      isFinal: index === facts.rulings.length - 1 && isCarriedOut(ruling, records),
      waivedBy: ruling.waived_by,
    })),
    rulingRequest: reader.role === 'mediator' ? requestOf(row, facts, reader, seen.terms) : null,
    appeal: records.appeal && {
      role: records.appeal.by,
      reason: records.appeal.reason,
      at: records.appeal.at.toISOString(),
    },
    return: returnOf(dispute, facts),
    proposedOutcome: reader.role === 'mediator' ? proposedOutcome(dispute, seen) : null,
    history: withAnswersMerged(records.history).map(({ id, step, role, refund_minor, at, isAnswer }) => ({
      id,
      step,
      by: role,
      text: STEP_TEXTS[isAnswer ? 'answered' : step](
        partOfPrice(refund_minor === null ? null : amount(BigInt(refund_minor)), currency),
        ruledAt(at)?.outcome,
      ),
      at: at.toISOString(),
    })),
    endedBy: endOf(row, records),
    settlement: seen.terms,
  }
}

/** An answer is kept as two steps with the same time: the evidence, and that it answers. Readers see it as one. */
function withAnswersMerged(history: CaseRecords['history']) {
  const isAnswer = ({ step, role, at }: CaseRecords['history'][number]) =>
    step === 'evidence_added' &&
    history.some(other => other.step === 'answered' && other.role === role && other.at.getTime() === at.getTime())
  return history.filter(({ step }) => step !== 'answered').map(entry => ({ ...entry, isAnswer: isAnswer(entry) }))
}

/** The time limits that run. While the buyer's bank decides, none does. */
const clocksOf = (dispute: Case) =>
  runningClocks(dispute).map(({ kind, dueAt, escalatedAt }) => ({
    kind,
    turn: turnOfClock(dispute, kind),
    dueAt: dueAt.toISOString(),
    isEscalated: escalatedAt !== null,
  }))

const runningClocks = ({ clocks, waitsForBank }: Case) => (waitsForBank ? [] : clocks)

/** The stages in which a mediator can take the case. */
const TAKEN_IN = [...stepOf('investigate').from, ...stepOf('takeAgain').from]

/** Who has taken a case that a mediator is to rule on. The parties learn only that a mediator has. */
function takenOf({ stage, takenBy }: Case, reader: Reader): Pick<DisputeCaseRecord, 'takenBy' | 'mediatorId'> {
  if (takenBy === null || !TAKEN_IN.includes(stage)) return { takenBy: null, mediatorId: null }
  return {
    takenBy: takenBy === reader.userId ? 'reader' : 'other',
    mediatorId: reader.role === 'mediator' ? takenBy : null,
  }
}

/** How a dispute ended. A decision that escrow has posted leaves its words as the resolution. Every other end writes its own. */
function endOf({ status, resolution, settleCause, settleResolution }: DisputeEntity, { history }: CaseRecords) {
  if (status !== 'closed') return null
  if (history.some(({ step }) => step === 'withdrawn')) return 'withdrawal'
  return settleCause !== null && resolution === settleResolution ? settleCause : 'transaction'
}

/** A deal that lost a part of its payment cannot go on. */
const isPossible = (terms: Terms | null) => (action: DisputeAction) => !(terms?.partIsGone && action === 'withdraw')

/** The case with what escrow says now: its event that a bank decides may not have arrived yet. */
const withEscrowsAnswer = (dispute: Case, terms: Terms | null): Case =>
  terms?.waitsForBank ? { ...dispute, waitsForBank: true } : dispute

/**
 * Whether a ruling became final and was carried out. It does not become final when the parties settle first, or when escrow ends the
 * dispute. When escrow cannot post it, the next step is `not_carried_out`; steps about time limits may be recorded in between.
 */
function isCarriedOut(ruling: CaseFacts['rulings'][number], { history }: CaseRecords): boolean {
  const steps = history.filter(({ step, at }) => at >= ruling.at && !TIME_STEPS.includes(step)).map(({ step }) => step)
  const final = steps.indexOf('ruling_final')
  return final >= 0 && steps[final + 1] !== 'not_carried_out'
}

const TIME_STEPS: readonly DisputeStep[] = ['time_extended', 'time_stopped', 'time_resumed']

/** Where a picture of the evidence is read. */
const evidenceImagePath = (disputeId: number, n: number, index: number): string =>
  `/api/disputes/${disputeId}/evidence/${n}/images/${index}`

export function toEvidence(disputeId: number, entry: EvidenceRow): z.input<typeof Evidence> {
  const { n, author_id, role, note, images, at, sha256, previous_sha256 } = entry
  return {
    n,
    authorId: author_id,
    role,
    note,
    images: images.map((hash, index) => ({ url: evidenceImagePath(disputeId, n, index), sha256: hash })),
    at: at.toISOString(),
    sha256,
    previousSha256: previous_sha256,
  }
}

/** A dispute as its party's list shows it. `dispute` is null when it was never open. */
export function toListed(row: DisputeEntity, dispute: Case | null): z.input<typeof ListedDispute> {
  if (!dispute) return { ...toView(row), turn: 'none', proposedTo: null, dueAt: null, clocks: [] }
  return {
    ...toView(row),
    turn: turnNow(row, dispute),
    proposedTo: proposedTo(row, dispute),
    dueAt: runningClocks(dispute)[0]?.dueAt.toISOString() ?? null,
    clocks: clocksOf(dispute),
  }
}

/** The party who is to answer the latest proposal; null after a ruling, which matters more. Another amount is an answer. */
function proposedTo(row: DisputeEntity, { proposals, waitsForBank }: Case): Party | null {
  const latest = proposals.at(-1)
  if (!latest || waitsForBank || isWithEscrow(row) || row.status === 'resolved') return null
  return latest.by === 'buyer' ? 'seller' : 'buyer'
}

/** Who must act now; `none` while escrow-svc is being asked. While the bank decides, escrow-svc refuses to post, so it is the bank's turn. */
const turnNow = (row: DisputeEntity, dispute: Case): DisputeTurn =>
  isWithEscrow(row) && !dispute.waitsForBank ? 'none' : turnOf(dispute)

/** A dispute as the mediators' queue shows it. */
export function toQueued({ row, dispute }: OpenedDispute, mediatorId: string): z.input<typeof QueuedDisputeRecord> {
  return {
    ...toListed(row, dispute),
    title: dispute.title,
    currency: dispute.currency,
    isEscalated: runningClocks(dispute).some(({ escalatedAt }) => escalatedAt !== null),
    waitsForApproval: dispute.rulingRequest !== null && mayTake('approveRuling', 'mediator', dispute.stage),
    // An admin may be a party of a dispute in the queue.
    ...takenOf(dispute, { userId: mediatorId, role: partyIn(dispute, mediatorId) ?? 'mediator' }),
  }
}

function requestOf(row: DisputeEntity, { rulingRequest }: CaseFacts, reader: Reader, terms: Terms | null) {
  if (!rulingRequest || !row.currency) return null
  const { id, outcome, refund_minor, resolution, asked_by, asked_at, expires_at } = rulingRequest
  return {
    id,
    outcome,
    refundAmount: formatAmount(ruledMinor(refund_minor, row, terms), row.currency),
    resolution,
    askedBy: asked_by === reader.userId ? ('reader' as const) : ('other' as const),
    askedAt: asked_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  }
}

/** What a ruling gives the buyer: a null amount is the price that is held now, and the whole price once the dispute is closed. */
function ruledMinor(refundMinor: string | null, row: DisputeEntity, terms: Terms | null): bigint {
  if (refundMinor !== null) return BigInt(refundMinor)
  const isHeld = terms && row.status !== 'closed'
  return isHeld ? heldPriceMinor(settlementBasis(terms)) : (row.priceMinor ?? 0n)
}

function returnOf({ stage }: Case, { parcel, rulings }: CaseFacts): z.input<typeof DisputeCaseRecord>['return'] {
  if (!parcel) {
    const isAwaited = stage === 'returning' && rulings.at(-1)?.outcome === 'return_exchange'
    return isAwaited ? { trackingNumber: null, carrier: null, shippedAt: null, deliveredAt: null, contest: null } : null
  }
  const { contested_at, contest_reason } = parcel
  return {
    trackingNumber: parcel.tracking_number,
    carrier: parcel.carrier,
    shippedAt: parcel.shipped_at.toISOString(),
    deliveredAt: parcel.delivered_at?.toISOString() ?? null,
    contest:
      contested_at && contest_reason !== null ? { reason: contest_reason, at: contested_at.toISOString() } : null,
  }
}

/** A full refund is proposed when the system filed the dispute, both parties stayed silent for long, and the parcel never moved. */
function proposedOutcome(
  { reporterId, reason, createdAt, evidenceOf, proposalsOf }: Case,
  { terms, now, daySeconds }: { readonly terms: Terms | null; readonly now: Date; readonly daySeconds: number },
): RulingOutcome | null {
  const isSilent = [evidenceOf, proposalsOf].every(({ buyer, seller }) => buyer === 0 && seller === 0)
  const silentUntil = createdAt.getTime() + SILENT_DISPUTE_DAYS * daySeconds * 1000
  const filedBySystem = reporterId === null && reason === 'item_not_received'
  return filedBySystem && isSilent && now.getTime() >= silentUntil && terms && !terms.parcelMoved ? 'full_refund' : null
}
