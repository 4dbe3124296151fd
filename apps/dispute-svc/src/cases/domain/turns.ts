/** Who must act next in a case, and what each of its readers may do. */
import type { DisputeAction, DisputeClock, DisputeRole, DisputeTurn } from '@holdfast/kernel/disputes'
import type { UserRole } from '@holdfast/kernel/users'
import { answering, type Case, type Party, partyIn, runs } from './case.js'
import { type CaseCommandType, isRefusedByBank, mayTake } from './life.js'

const either = (parties: readonly Party[]): DisputeTurn => (parties.length === 2 ? 'both' : (parties[0] ?? 'none'))

/** The parties who may still appeal. */
const appealing = ({ ruling }: Case): readonly Party[] =>
  (['buyer', 'seller'] as const).filter(party => !ruling?.waivedBy.includes(party))

/** Who must act before a time limit ends. */
export function turnOfClock(dispute: Case, kind: DisputeClock): DisputeTurn {
  switch (kind) {
    case 'response':
      return either(answering(dispute))
    case 'first_look':
    case 'ruling':
    case 'second_ruling':
      return 'mediator'
    case 'appeal':
      return either(appealing(dispute))
    case 'return_shipping':
      return 'buyer'
    case 'return_arrival':
      return 'carrier'
    case 'return_check':
      return 'seller'
  }
}

/** Who must act next. */
export function turnOf(dispute: Case): DisputeTurn {
  if (dispute.waitsForBank && dispute.stage !== 'closed') return 'bank'
  switch (dispute.stage) {
    case 'open':
    case 'investigating':
      return runs(dispute, 'response') ? turnOfClock(dispute, 'response') : 'mediator'
    case 'resolved':
      return turnOfClock(dispute, 'appeal')
    case 'appealed':
    case 'contested':
      return 'mediator'
    case 'returning':
      return 'buyer'
    case 'returned':
      return 'carrier'
    case 'checking':
      return 'seller'
    case 'opening':
    case 'settling':
    case 'closed':
      return 'none'
  }
}

const mayNow = (dispute: Case, command: CaseCommandType, role: DisputeRole): boolean =>
  mayTake(command, role, dispute.stage) && !isRefusedByBank(dispute, command)

/** What a reader of the case may do now. */
export function actionsOf(dispute: Case, role: DisputeRole, userId: string): DisputeAction[] {
  return role === 'mediator' ? mediatorsActions(dispute, userId) : partysActions(dispute, role, userId)
}

function partysActions(dispute: Case, role: Party, userId: string): DisputeAction[] {
  const may = (command: CaseCommandType) => mayNow(dispute, command, role)
  const offered: Record<Exclude<DisputeAction, 'investigate' | 'rule' | 'decideRuling'>, boolean> = {
    addEvidence: may('addEvidence'),
    withdraw: may('withdraw') && dispute.reporterId === userId,
    propose: may('propose'),
    declineProposal: may('declineProposal') && dispute.proposals.some(({ by }) => by !== role),
    waiveAppeal: may('waiveAppeal') && appealing(dispute).includes(role),
    appeal: may('appeal') && appealing(dispute).includes(role),
    shipReturn: may('shipReturn'),
    confirmReturn: may('confirmReturn'),
    contestReturn: may('contestReturn') && !dispute.returnContested,
  }
  return Object.entries(offered).flatMap(([action, isOffered]) => (isOffered ? [action as DisputeAction] : []))
}

function mediatorsActions(dispute: Case, userId: string): DisputeAction[] {
  if (dispute.appealedMediators.includes(userId)) return []
  const may = (command: CaseCommandType) => mayNow(dispute, command, 'mediator')
  const isOthers = dispute.takenBy !== null && dispute.takenBy !== userId
  const mayRule = (may('rule') && !runs(dispute, 'response')) || may('ruleAgain')
  return [
    ...(may('investigate') || may('takeAgain') ? (['investigate'] as const) : []),
    ...(mayRule && !isOthers ? (['rule'] as const) : []),
    ...(may('rejectRuling') && dispute.rulingRequest ? (['decideRuling'] as const) : []),
  ]
}

/** What a user is in a case; null for a stranger. A party of the deal never acts as its mediator. */
export function roleIn(
  dispute: Pick<Case, 'buyerId' | 'sellerId'>,
  user: { readonly id: string; readonly role: UserRole },
): DisputeRole | null {
  return partyIn(dispute, user.id) ?? (user.role === 'admin' ? 'mediator' : null)
}
