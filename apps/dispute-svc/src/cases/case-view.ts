import type { DisputeCaseRecord, Evidence, ListedDispute, QueuedDispute } from '@holdfast/contracts/disputes'
import type { SettlementTerms } from '@holdfast/contracts/transactions'
import { assert } from '@holdfast/kernel/assert'
import { type DisputeRole, type RulingOutcome, SILENT_DISPUTE_DAYS } from '@holdfast/kernel/disputes'
import { type Currency, displayAmount, formatAmount, parseAmount } from '@holdfast/kernel/money'
import { heldPriceMinor, type SettlementBasis } from '@holdfast/kernel/settlement'
import type { z } from 'zod'
import { type CaseRows, type EvidenceRow, toCase } from './case-rows.js'
import { STEP_TEXTS } from './case-texts.js'
import type { DisputeEntity } from './dispute.entity.js'
import { toView } from './dispute-view.js'
import type { Case } from './domain/case.js'
import { actionsOf, turnOf, turnOfClock } from './domain/turns.js'

type Terms = z.output<typeof SettlementTerms>

/** The reader of a case. */
export interface Reader {
  readonly userId: string
  readonly role: DisputeRole
}

/** A case as one of its readers sees it. */
export function toRecord(
  row: DisputeEntity,
  rows: CaseRows,
  reader: Reader,
  seen: { readonly terms: Terms | null; readonly now: Date; readonly daySeconds: number },
): z.input<typeof DisputeCaseRecord> {
  const dispute = toCase(row, rows)
  const { currency } = dispute
  const amount = (minor: bigint) => formatAmount(minor, currency)
  // A ruling and its entry in the history are written with the same time.
  const ruledAt = (at: Date) => rows.rulings.find(ruling => ruling.at.getTime() === at.getTime())
  const isBusy = row.step === 'settling' || row.step === 'resuming'
  return {
    ...toView(row),
    currency,
    title: dispute.title,
    amount: amount(row.priceMinor ?? 0n),
    viewerRole: reader.role,
    turn: isBusy ? 'none' : turnOf(dispute),
    actions: isBusy ? [] : actionsOf(dispute, reader.role, reader.userId),
    clocks: dispute.clocks.map(({ kind, dueAt, escalatedAt }) => ({
      kind,
      turn: turnOfClock(dispute, kind),
      dueAt: dueAt.toISOString(),
      isEscalated: escalatedAt !== null,
    })),
    evidence: rows.evidence.map(entry => toEvidence(row.id, entry)),
    proposals: rows.proposals.map(({ id, by, refund_minor, state, at }) => ({
      id,
      role: by,
      refundAmount: amount(BigInt(refund_minor)),
      state,
      at: at.toISOString(),
    })),
    rulings: rows.rulings.map((ruling, index) => ({
      outcome: ruling.outcome,
      refundAmount: amount(ruledMinor(ruling.refund_minor, row, seen.terms)),
      resolution: ruling.resolution,
      at: ruling.at.toISOString(),
      isOnAppeal: ruling.is_on_appeal,
      isFinal: index === rows.rulings.length - 1 && dispute.stage !== 'resolved' && dispute.stage !== 'appealed',
      waivedBy: ruling.waived_by,
    })),
    appeal: rows.appeal && { role: rows.appeal.by, reason: rows.appeal.reason, at: rows.appeal.at.toISOString() },
    return: returnOf(dispute, rows),
    proposedOutcome: reader.role === 'mediator' ? proposedOutcome(dispute, rows, seen) : null,
    history: rows.history.map(({ id, step, role, refund_minor, at }) => ({
      id,
      step,
      by: role,
      text: STEP_TEXTS[step](
        refund_minor === null ? null : displayed(BigInt(refund_minor), currency),
        ruledAt(at)?.outcome,
      ),
      at: at.toISOString(),
    })),
    settlement: seen.terms,
  }
}

/** Where a picture of the evidence is read. */
export const evidenceImagePath = (disputeId: number, n: number, index: number): string =>
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

/** A dispute as its party's list shows it. */
export function toListed(row: DisputeEntity, rows: CaseRows): z.input<typeof ListedDispute> {
  // A filing that escrow refused, and whose late call froze the deal nevertheless. It is closed, and never had a case.
  if (!row.openedAt) return { ...toView(row), turn: 'none', dueAt: null }
  const dispute = toCase(row, rows)
  return {
    ...toView(row),
    turn: row.step === 'settled' ? turnOf(dispute) : 'none',
    dueAt: dispute.clocks[0]?.dueAt.toISOString() ?? null,
  }
}

/** A dispute as the mediators' queue shows it. */
export function toQueued(row: DisputeEntity, rows: CaseRows): z.input<typeof QueuedDispute> {
  const dispute = toCase(row, rows)
  return {
    ...toListed(row, rows),
    title: dispute.title,
    amount: formatAmount(row.priceMinor ?? 0n, dispute.currency),
    currency: dispute.currency,
    isEscalated: dispute.clocks.some(({ escalatedAt }) => escalatedAt !== null),
  }
}

/** What the rules of a split need, from escrow's answer. */
export function basisOf(terms: Terms): SettlementBasis {
  const { currency, feeSchedule, sellerPlan } = terms
  return {
    currency,
    feeSchedule,
    sellerPlan,
    holdMinor: parseAmount(terms.held, currency),
    buyerFeeMinor: parseAmount(terms.buyerFee, currency),
  }
}

/** What a ruling gives the buyer. All that is held is the price, unless a part of the payment is gone. */
function ruledMinor(refundMinor: string | null, row: DisputeEntity, terms: Terms | null): bigint {
  if (refundMinor !== null) return BigInt(refundMinor)
  const isHeld = terms && row.status !== 'closed'
  return isHeld ? heldPriceMinor(basisOf(terms)) : (row.priceMinor ?? 0n)
}

function returnOf({ stage }: Case, { parcel, rulings }: CaseRows): z.input<typeof DisputeCaseRecord>['return'] {
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

/** A full refund is proposed when the system filed the dispute, neither party said a word for long, and the parcel never moved. */
function proposedOutcome(
  { reporterId, reason, createdAt }: Case,
  { evidence, proposals }: CaseRows,
  { terms, now, daySeconds }: { readonly terms: Terms | null; readonly now: Date; readonly daySeconds: number },
): RulingOutcome | null {
  const isSilent = evidence.length === 0 && proposals.length === 0
  const silentUntil = createdAt.getTime() + SILENT_DISPUTE_DAYS * daySeconds * 1000
  const filedBySystem = reporterId === null && reason === 'item_not_received'
  return filedBySystem && isSilent && now.getTime() >= silentUntil && terms && !terms.parcelMoved ? 'full_refund' : null
}

function displayed(minor: bigint, currency: Currency): string {
  assert(minor >= 0n, 'an amount of a dispute is not negative')
  return displayAmount(formatAmount(minor, currency), currency)
}
