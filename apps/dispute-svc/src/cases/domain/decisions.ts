/**
 * The rules of a dispute, as pure functions: `(case, command, circumstances) → change`. They read no time, so the same input gives
 * the same change.
 */
import { TOO_NEW_TEXTS } from '@holdfast/kernel/admin'
import { assert } from '@holdfast/kernel/assert'
import { onlyChanged } from '@holdfast/kernel/changes'
import { MAX_EVIDENCE_PER_PARTY, MAX_PROPOSALS_PER_PARTY, MAX_RETURN_SHIPMENTS } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { displayMinor, formatAmount } from '@holdfast/kernel/money'
import {
  answering,
  type Case,
  type CaseChange,
  type CaseCircumstances,
  type CaseCommand,
  type CaseProposal,
  type CaseRuling,
  type CaseRulingRequest,
  type CaseSettlement,
  type CaseStep,
  type Party,
  runs,
} from './case.js'
import { clocksAfter } from './clocks.js'
import { assertMayTake, type CaseCommandType, isRefusedByBank, stepOf } from './life.js'
import type { Stage } from './stages.js'

/**
 * Decides what a command changes on a case.
 *
 * @throws DomainError `FORBIDDEN` or `DISPUTE_WRONG_STATE` when the table of `life.ts` has no such step, or when a limit of the step
 * does not allow it: the other party may still answer, the ruling was waived, the return was contested before, or the party has
 * added as much as one dispute takes; `DISPUTE_TAKEN` for a mediator while another one has the case; `ADMIN_TOO_NEW`; `PROPOSAL_CHANGED`
 * when the named proposal is not open any more, or its amount is another; `ESCROW_STOPPED_BY_PROVIDER` for a step that the table refuses while
 * the buyer's bank decides
 */
export function decide(dispute: Case, command: CaseCommand, given: CaseCircumstances): CaseChange {
  if (isRefusedByBank(dispute, command.type)) throw new DomainError('ESCROW_STOPPED_BY_PROVIDER')
  switch (command.type) {
    case 'investigate':
      return investigate(dispute, command, given)
    case 'addEvidence':
      return addEvidence(dispute, given)
    case 'propose':
      return propose(dispute, command.refundMinor, given)
    case 'agree':
      return acceptProposal(dispute, command, given)
    case 'declineProposal':
      return declineProposal(dispute, command.proposalId, given)
    case 'rule':
      return rule(dispute, command.ruling, given)
    case 'approveRuling':
      return approveRuling(dispute, command, given)
    case 'rejectRuling':
      return rejectRuling(dispute, command, given)
    case 'waiveAppeal':
      return waiveAppeal(dispute, given)
    case 'endAppeal':
      return carriedOut(dispute, 'endAppeal', rulingOf(dispute), [], given)
    case 'appeal':
      return appeal(dispute, command.reason, given)
    case 'endResponse':
      return moved(dispute, 'endResponse', 'investigating', [{ step: 'response_ended' }], given)
    case 'shipReturn': {
      const { trackingNumber, carrier, changed } = command
      const parcel = { trackingNumber, carrier }
      const { returnNumber, returnCarrier } = dispute
      if (dispute.returnShipments >= MAX_RETURN_SHIPMENTS) throw usedUp('tracking numbers', MAX_RETURN_SHIPMENTS)
      return {
        ...moved(dispute, 'shipReturn', 'returned', [{ step: 'return_shipped' }], given),
        shipment:
          returnNumber === null
            ? parcel
            : { trackingNumber: returnNumber, carrier: returnCarrier, ...onlyChanged(parcel, changed) },
      }
    }
    case 'endReturnShipping':
      return settling(dispute, 'endReturnShipping', RETURN_NOT_SHIPPED, [{ step: 'return_not_shipped' }], given)
    case 'recordReturnDelivery':
      return {
        ...moved(dispute, 'recordReturnDelivery', 'checking', [{ step: 'return_delivered' }], given),
        returnDelivered: true,
      }
    case 'endReturnArrival':
      return moved(dispute, 'endReturnArrival', 'contested', [{ step: 'return_not_arrived' }], given)
    case 'confirmReturn':
    case 'endReturnCheck':
      return settling(
        dispute,
        command.type,
        { refundMinor: null, heldMinor: null, cause: 'return', by: given.userId, resolution: ITEM_CAME_BACK },
        command.type === 'confirmReturn' ? [{ step: 'return_confirmed' }] : [],
        given,
      )
    case 'contestReturn':
      if (dispute.returnContested) throw new DomainError('DISPUTE_WRONG_STATE')
      return {
        ...moved(dispute, 'contestReturn', 'contested', [{ step: 'return_contested' }], given),
        contest: { reason: command.reason },
      }
  }
}

const ITEM_CAME_BACK = 'The item came back to the seller. The buyer is refunded in full.'
const RETURN_NOT_SHIPPED = {
  refundMinor: 0n,
  heldMinor: null,
  cause: 'ruling',
  by: null,
  resolution: 'The buyer did not ship the item back in time. The seller is paid.',
} as const satisfies CaseSettlement

/** A mediator takes the case, takes it over from another one, or changes the notes that both parties read. */
function investigate(
  dispute: Case,
  { adminNotes, takeOver }: Extract<CaseCommand, { type: 'investigate' }>,
  given: CaseCircumstances,
): CaseChange {
  const taking = isAfterRuling(dispute) ? 'takeAgain' : 'investigate'
  assertMayTake(taking, given.role, dispute.stage)
  if (dispute.appealedMediators.includes(userOf(given))) throw new DomainError('FORBIDDEN')
  const isOwn = dispute.takenBy === given.userId
  const isOthers = dispute.takenBy !== null && !isOwn
  if (isOthers && !takeOver) throw new DomainError('DISPUTE_TAKEN')
  const written: readonly CaseStep[] = adminNotes === null ? [] : [{ step: 'notes_written' }]
  const steps: readonly CaseStep[] = isOwn ? written : [{ step: isOthers ? 'taken_over' : 'investigation_begun' }]
  return {
    ...moved(dispute, taking, taking === 'takeAgain' ? dispute.stage : 'investigating', steps, given),
    ...(adminNotes !== null && { adminNotes }),
  }
}

/** The first entry of a party who may still answer is their answer: then a mediator investigates. */
function addEvidence(dispute: Case, given: CaseCircumstances): CaseChange {
  assertMayTake('addEvidence', given.role, dispute.stage)
  const party = partyOf(given)
  if (dispute.evidenceOf[party] >= MAX_EVIDENCE_PER_PARTY) throw usedUp('entries of evidence', MAX_EVIDENCE_PER_PARTY)
  const added: CaseStep = { step: 'evidence_added' }
  const isAnswer = runs(dispute, 'response') && answering(dispute).includes(party)
  if (!isAnswer) return moved(dispute, 'addEvidence', dispute.stage, [added], given)
  return moved(dispute, 'answer', 'investigating', [added, { step: 'answered' }], given)
}

/**
 * Proposes a settlement. When the other party's open proposal has the same amount, the dispute is settled, unless the deal held another price
 * when that proposal was made.
 */
function propose(dispute: Case, refundMinor: bigint, given: CaseCircumstances): CaseChange {
  const party = partyOf(given)
  assertMayTake('propose', given.role, dispute.stage)
  const heldMinor = given.heldMinor ?? null
  const proposal = { id: given.newId(), by: party, refundMinor, heldMinor }
  const theirs = openProposalTo(party, dispute)
  if (theirs && isFor(theirs, refundMinor, heldMinor)) return settledAsAgreed(dispute, theirs, heldMinor, given)
  const own = dispute.proposals.filter(({ by }) => by === party)
  if (own.some(mine => mine.refundMinor === refundMinor && mine.heldMinor === heldMinor)) throw waitsAlready()
  // The limit does not keep a party from accepting what the other one proposes.
  if (dispute.proposalsOf[party] >= MAX_PROPOSALS_PER_PARTY) throw usedUp('proposals', MAX_PROPOSALS_PER_PARTY)
  return {
    ...moved(dispute, 'propose', dispute.stage, [{ step: 'settlement_proposed', refundMinor }], given),
    proposal,
    closedProposals: own.map(({ id }) => ({ id, state: 'superseded' as const })),
  }
}

/** Settles the dispute by the other party's open proposal, if it is the one that the sender saw, with the amount that they saw. */
function acceptProposal(
  dispute: Case,
  { proposalId, refundMinor }: Extract<CaseCommand, { type: 'agree' }>,
  given: CaseCircumstances,
): CaseChange {
  const party = partyOf(given)
  assertMayTake('agree', given.role, dispute.stage)
  const heldMinor = given.heldMinor ?? null
  const theirs = openProposalTo(party, dispute)
  if (theirs?.id !== proposalId || !isFor(theirs, refundMinor, heldMinor)) throw proposalChanged(theirs, dispute)
  return settledAsAgreed(dispute, theirs, heldMinor, given)
}

/** Both parties have agreed on an amount. */
function settledAsAgreed(
  dispute: Case,
  { id, refundMinor }: CaseProposal,
  heldMinor: bigint | null,
  given: CaseCircumstances,
): CaseChange {
  const back = refundMinor === 0n ? 'Nothing' : displayMinor(refundMinor, dispute.currency)
  const resolution = `Buyer and seller agreed on a settlement. ${back} of the price that was held goes back to the buyer.`
  const own = dispute.proposals.filter(proposal => proposal.id !== id)
  return {
    ...settling(
      dispute,
      'agree',
      { refundMinor, heldMinor, cause: 'settlement', by: given.userId, resolution },
      [{ step: 'settlement_agreed', refundMinor }],
      given,
    ),
    closedProposals: [{ id, state: 'accepted' }, ...own.map(({ id }) => ({ id, state: 'superseded' as const }))],
  }
}

/** The other party's open proposal, which this party may accept or decline. */
const openProposalTo = (party: Party, { proposals }: Case): CaseProposal | undefined =>
  proposals.find(({ by }) => by !== party)

/** Whether a proposal has this amount, and was made while the deal held this price. */
const isFor = (proposal: CaseProposal, refundMinor: bigint, heldMinor: bigint | null): boolean =>
  proposal.refundMinor === refundMinor && (proposal.heldMinor === null || proposal.heldMinor === heldMinor)

/** Names the proposal that is open now, if there is one. */
const proposalChanged = (theirs: CaseProposal | undefined, { currency }: Case): DomainError =>
  new DomainError('PROPOSAL_CHANGED', {
    proposal: theirs ? { id: theirs.id, refundAmount: formatAmount(theirs.refundMinor, currency) } : null,
  })

function declineProposal(dispute: Case, proposalId: string, given: CaseCircumstances): CaseChange {
  assertMayTake('declineProposal', given.role, dispute.stage)
  const theirs = openProposalTo(partyOf(given), dispute)
  if (theirs?.id !== proposalId) throw proposalChanged(theirs, dispute)
  const { id, refundMinor } = theirs
  return {
    ...moved(dispute, 'declineProposal', dispute.stage, [{ step: 'settlement_declined', refundMinor }], given),
    closedProposals: [{ id, state: 'declined' }],
  }
}

/** A mediator rules. Above an amount the ruling waits for a second admin. A ruling on a case that nobody has taken takes it. */
function rule(
  dispute: Case,
  ruling: Pick<CaseRuling, 'outcome' | 'refundMinor' | 'resolution'>,
  given: CaseCircumstances,
): CaseChange {
  const made = { ...ruling, heldMinor: given.heldMinor ?? null }
  const mediatorId = userOf(given)
  assertMayRule(dispute, mediatorId, made, given)
  const taken: readonly CaseStep[] = dispute.takenBy === null ? [{ step: 'investigation_begun' }] : []
  if (!given.needsSecondAdmin) return ruled(dispute, made, { mediatorId, approvedBy: null, before: taken }, given)
  assert(given.amountMinor !== undefined, 'it is known what the deal holds')
  return {
    ...moved(dispute, 'askForRuling', dispute.stage, taken, given),
    askedRuling: { ...made, id: given.newId(), askedBy: mediatorId, amountMinor: given.amountMinor },
  }
}

type RulingDecision = Extract<CaseCommand, { type: 'approveRuling' | 'rejectRuling' }>

/**
 * A second admin approves a ruling: it is recorded as the ruling of the mediator who asked for it. That mediator must still be the one
 * who has the case, and the deal must hold what it held then.
 */
function approveRuling(dispute: Case, { requestId, reason }: RulingDecision, given: CaseCircumstances): CaseChange {
  assertMayTake('approveRuling', given.role, dispute.stage)
  const request = requestOf(dispute, requestId, given)
  const { askedBy: mediatorId, amountMinor } = request
  const approver = userOf(given)
  if (approver === mediatorId || dispute.appealedMediators.includes(approver)) throw new DomainError('FORBIDDEN')
  refuseTooNew('approver', approver, given)
  // Otherwise a mediator could ask with a second account and approve with the first one.
  refuseTooNew('asker', mediatorId, given)
  assertMayRule(dispute, mediatorId, request, given)
  if (given.amountMinor !== amountMinor) throw new DomainError('CONFLICT')
  return {
    ...ruled(dispute, request, { mediatorId, approvedBy: approver, before: [] }, given),
    decidedRuling: { requestId, id: given.newId(), state: 'approved', by: approver, reason },
  }
}

function rejectRuling(dispute: Case, { requestId, reason }: RulingDecision, given: CaseCircumstances): CaseChange {
  assertMayTake('rejectRuling', given.role, dispute.stage)
  requestOf(dispute, requestId, given)
  return {
    ...moved(dispute, 'rejectRuling', dispute.stage, [], given),
    decidedRuling: { requestId, id: given.newId(), state: 'rejected', by: userOf(given), reason },
  }
}

/** @throws DomainError `CONFLICT` when another ruling waits, or none; `GONE` when it has expired */
function requestOf({ rulingRequest }: Case, requestId: string, { now }: CaseCircumstances): CaseRulingRequest {
  if (rulingRequest?.id !== requestId) throw new DomainError('CONFLICT')
  if (rulingRequest.expiresAt <= now) throw new DomainError('GONE')
  return rulingRequest
}

type MadeRuling = Pick<CaseRuling, 'outcome' | 'refundMinor' | 'heldMinor' | 'resolution'>

/** @throws DomainError when this mediator may not make this ruling now */
function assertMayRule(dispute: Case, mediatorId: string, { outcome }: MadeRuling, given: CaseCircumstances): void {
  const isOnAppeal = isAfterRuling(dispute)
  assertMayTake(isOnAppeal ? 'ruleAgain' : 'rule', given.role, dispute.stage)
  // The other party keeps the whole time to answer.
  if (runs(dispute, 'response')) throw new DomainError('DISPUTE_WRONG_STATE', { waitsFor: 'response' })
  if (dispute.appealedMediators.includes(mediatorId)) throw new DomainError('FORBIDDEN')
  if (dispute.takenBy !== null && dispute.takenBy !== mediatorId) throw new DomainError('DISPUTE_TAKEN')
  if (!isOnAppeal) return
  // Otherwise the mediator who has ruled could appoint an account of their own and decide with it.
  refuseTooNew('decider', mediatorId, given)
  // A contested item is not sent back a second time.
  if (dispute.stage === 'contested' && outcome === 'return_exchange') throw new DomainError('DISPUTE_WRONG_STATE')
}

/** Whether a ruling was made before, which was appealed or whose return is contested. */
const isAfterRuling = ({ stage }: Case): boolean => stage === 'appealed' || stage === 'contested'

function ruled(
  dispute: Case,
  { outcome, refundMinor, heldMinor, resolution }: MadeRuling,
  by: { readonly mediatorId: string; readonly approvedBy: string | null; readonly before: readonly CaseStep[] },
  given: CaseCircumstances,
): CaseChange {
  const isOnAppeal = isAfterRuling(dispute)
  const { mediatorId, approvedBy, before } = by
  const made = { id: given.newId(), outcome, refundMinor, heldMinor, resolution, mediatorId }
  const steps: readonly CaseStep[] = [
    ...before,
    { step: 'ruled', refundMinor, ruling: { outcome, isFinal: isOnAppeal } },
  ]
  const ruling = { ...made, approvedBy, isOnAppeal }
  return isOnAppeal
    ? { ...carriedOut(dispute, 'ruleAgain', { ...made, waivedBy: [] }, steps, given), ruling }
    : { ...moved(dispute, 'rule', 'resolved', steps, given), ruling }
}

function userOf({ userId }: CaseCircumstances): string {
  assert(userId !== null, 'a mediator is a user')
  return userId
}

/** @throws DomainError `ADMIN_TOO_NEW` */
function refuseTooNew(who: keyof typeof TOO_NEW_TEXTS, userId: string, { approvers }: CaseCircumstances): void {
  if (!approvers?.includes(userId)) throw new DomainError('ADMIN_TOO_NEW', { who }, TOO_NEW_TEXTS[who])
}

function waiveAppeal(dispute: Case, given: CaseCircumstances): CaseChange {
  const party = partyOf(given)
  assertMayTake('waiveAppeal', given.role, dispute.stage)
  const ruling = rulingOf(dispute)
  if (ruling.waivedBy.includes(party)) throw new DomainError('DISPUTE_WRONG_STATE')
  const waiver = { rulingId: ruling.id, by: party }
  const step: CaseStep = { step: 'appeal_waived' }
  if (ruling.waivedBy.length === 0) return { ...moved(dispute, 'waiveAppeal', 'resolved', [step], given), waiver }
  return { ...carriedOut(dispute, 'waiveAppeal', ruling, [step], given), waiver }
}

/** A party who has given up the right to appeal does not get it back. */
function appeal(dispute: Case, reason: string, given: CaseCircumstances): CaseChange {
  const change = moved(dispute, 'appeal', 'appealed', [{ step: 'appealed' }], given)
  const party = partyOf(given)
  if (rulingOf(dispute).waivedBy.includes(party)) throw new DomainError('DISPUTE_WRONG_STATE')
  return { ...change, appeal: { by: party, reason } }
}

/** A ruling that is final: escrow posts it, or the buyer is to ship the item back. */
function carriedOut(
  dispute: Case,
  command: CaseCommandType,
  { outcome, refundMinor, heldMinor, resolution }: CaseRuling,
  before: readonly CaseStep[],
  given: CaseCircumstances,
): CaseChange {
  const steps: CaseStep[] = [...before, { step: 'ruling_final', ruling: { outcome, isFinal: true } }]
  if (outcome === 'return_exchange') return moved(dispute, command, 'returning', steps, given)
  // A ruling stays the mediator's decision, although the party who waives their appeal last makes it final.
  const by = given.role === 'mediator' ? given.userId : null
  return settling(dispute, command, { refundMinor, heldMinor, cause: 'ruling', by, resolution }, steps, given)
}

/** The case is decided. Escrow is asked to post it, and then the dispute is closed. */
function settling(
  dispute: Case,
  command: CaseCommandType,
  settlement: CaseSettlement,
  steps: readonly CaseStep[],
  given: CaseCircumstances,
): CaseChange {
  return { ...moved(dispute, command, 'settling', steps, given), settlement }
}

/** A change to a stage, with the time limits that this starts and ends. */
function moved(
  dispute: Case,
  command: CaseCommandType,
  stage: Stage,
  steps: readonly CaseStep[],
  given: CaseCircumstances,
): CaseChange {
  assertMayTake(command, given.role, dispute.stage)
  const step = stepOf(command)
  const leadsTo = step.to === 'the same' ? [dispute.stage] : step.to
  assert(leadsTo.includes(stage), `${command} leads to ${stage}`)
  return { stage, steps, clocks: clocksAfter(dispute, stage, step.ends ?? [], given) }
}

function rulingOf({ id, ruling }: Case): CaseRuling {
  assert(ruling, `dispute ${id} is resolved without a ruling`)
  return ruling
}

function partyOf({ role }: CaseCircumstances): Party {
  if (role !== 'buyer' && role !== 'seller') throw new DomainError('FORBIDDEN')
  return role
}

const WAITS_ALREADY_TEXT = 'You have proposed this amount already. It waits for the answer of the other side.'
/** The same amount again would only notify the other party again. */
const waitsAlready = (): DomainError =>
  new DomainError('DISPUTE_WRONG_STATE', { fields: { refundAmount: WAITS_ALREADY_TEXT } }, WAITS_ALREADY_TEXT)

/** A limit for the whole dispute is reached. The same request never succeeds, so it is not refused as one that came too early. */
const usedUp = (what: string, limit: number): DomainError =>
  new DomainError(
    'DISPUTE_WRONG_STATE',
    { limit },
    `You have added ${limit} ${what}, which is the most in one dispute.`,
  )
