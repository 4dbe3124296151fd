import type { disputeInternalRoutes, disputeRoutes } from '@holdfast/contracts/dispute-routes'
import type { Parsed } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import type { DisputeStatus, RulingOutcome } from '@holdfast/kernel/disputes'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { type Currency, findAmount, parseAmount } from '@holdfast/kernel/money'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { heldPriceMinor, refundFault, settlementBasis } from '@holdfast/kernel/settlement'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import type { DisputeConfig } from '../config.js'
import { toListed, toQueued, toRecord } from './case-view.js'
import { CasesRepository } from './cases.repository.js'
import { type DisputeView, toView } from './dispute-view.js'
import type { Case, CaseCircumstances, CaseCommand } from './domain/case.js'
import { decide } from './domain/decisions.js'
import { assertMayTake, isRefusedByBank } from './domain/life.js'
import { roleIn } from './domain/turns.js'
import { EscrowClient } from './escrow.client.js'
import { SettlementsService } from './settlements.service.js'

/** The user who sends a request, and the client's idempotency key when it sent one. */
export interface Sender {
  readonly user: UserActor
  readonly key: string | null
}

type Settlement = Parsed<typeof disputeRoutes.proposeSettlement>['body']
type Ruling = Parsed<typeof disputeInternalRoutes.recordRuling>['body']
type RulingDecision = Parsed<typeof disputeInternalRoutes.recordRulingDecision>['body']

/** What a decision depends on besides the case. */
type Known = Pick<CaseCircumstances, 'heldMinor' | 'amountMinor' | 'needsSecondAdmin' | 'approvers'>

/** When escrow takes longer to answer what a deal holds, the case is shown without its split. */
const TERMS_WITHIN_MS = 3_000

/** What the parties and the mediators do with a case. Each command is one dbTx; a case that is decided is then posted at escrow. */
@Injectable()
export class CasesService {
  private readonly log = loggerOf('cases')

  constructor(
    private readonly cases: CasesRepository,
    private readonly settlements: SettlementsService,
    private readonly escrow: EscrowClient,
    @Inject(CONFIG) private readonly config: DisputeConfig,
  ) {}

  /**
   * One case as its reader sees it. While escrow cannot be asked, `settlement` is null.
   *
   * @throws DomainError `NOT_FOUND`, also for a stranger
   */
  async get(id: number, user: UserActor) {
    const { role, now, ...found } = await this.readable(id, user)
    const { status, transactionId } = found.row
    const records = await this.cases.readRecords(id)
    const terms = status === 'closed' ? null : await this.termsOf(transactionId)
    return toRecord(
      { ...found, records },
      { userId: user.id, role },
      { terms, now, daySeconds: this.config.DAY_SECONDS },
    )
  }

  /** The disputes of a user, newest first. @throws DomainError `NOT_FOUND` for the id of another user */
  async list(userId: string, viewerId: string) {
    if (userId !== viewerId) throw new DomainError('NOT_FOUND')
    return (await this.cases.listOf(userId, MAX_PAGE_SIZE)).map(({ row, dispute }) => toListed(row, dispute))
  }

  /** Disputes for mediators, the earliest time limit first. */
  async queue(limit: number, statuses: readonly DisputeStatus[] | undefined, mediatorId: string) {
    return (await this.cases.queue(limit, statuses ?? null)).map(each => toQueued(each, mediatorId))
  }

  /**
   * Proposes a settlement, or accepts the proposal that `accepts` names.
   *
   * @throws DomainError `NOT_FOUND`, `DISPUTE_WRONG_STATE`, `AMOUNT_INVALID`, `PROPOSAL_CHANGED`, and escrow's refusal of a settlement
   */
  async propose(id: number, { refundAmount, accepts }: Settlement, by: Sender): Promise<DisputeView> {
    const { dispute, role } = await this.readable(id, by.user)
    const refundMinor = findAmount(refundAmount, dispute.currency)
    const command = refundMinor === null ? null : settlementCommand(refundMinor, accepts)
    const known = await this.unlessAnswered(command && keyOf(id, by, command), async () => {
      assertMayTake('propose', role, dispute.stage)
      return this.heldFor(dispute, refundAmount, 'settlement')
    })
    assert(command, 'an amount that cannot be read is refused')
    return this.command(id, by, command, known)
  }

  /**
   * Gives a command.
   *
   * @param known what a decision about a part of the price depends on besides the case
   * @throws DomainError `NOT_FOUND` for a stranger, and what `decide` throws
   */
  async command(id: number, by: Sender, command: CaseCommand, known: Known = {}): Promise<DisputeView> {
    await this.cases.change(
      id,
      (dispute, given) => {
        const role = roleIn(dispute, by.user)
        if (!role) throw new DomainError('NOT_FOUND')
        const actor = { role, userId: by.user.id }
        return { actor, change: decide(dispute, command, { ...given, ...known, ...actor }) }
      },
      keyOf(id, by, command),
    )
    const row = await this.cases.get(id)
    return toView(row.step === 'settling' ? await this.settlements.post(row) : row)
  }

  /**
   * Rules on a dispute, or on an appeal. When the deal holds more than an amount, the ruling waits for a second admin.
   *
   * @returns the dispute, and the id of the ruling that waits; null when it is recorded
   * @throws DomainError `NOT_FOUND`; `VALIDATION_FAILED` naming `refundAmount`; `AMOUNT_INVALID`; `FORBIDDEN` for a party, and for
   * those whose ruling was appealed; `DISPUTE_TAKEN`; `ADMIN_TOO_NEW`; `DISPUTE_WRONG_STATE`
   */
  async rule(id: number, { outcome, refundAmount, resolution, approvers }: Ruling, by: Sender) {
    const { dispute } = await this.readableByMediator(id, by.user)
    const refundMinor = ruledMinor(outcome, refundAmount, dispute.currency)
    const command = { type: 'rule', ruling: { outcome, refundMinor, resolution } } as const
    const known = await this.unlessAnswered(keyOf(id, by, command), () => this.rulingBasis(dispute, refundAmount))
    const ruled = await this.command(id, by, command, { ...known, approvers })
    const waiting = (await this.cases.read(id))?.dispute.rulingRequest
    return { ...ruled, approvalId: waiting?.askedBy === by.user.id ? waiting.id : null }
  }

  /**
   * Approves or rejects the ruling that waits. Of several decisions at the same time the first one counts.
   *
   * @throws DomainError `CONFLICT` when the named ruling does not wait, or when the deal holds another amount than it did; `GONE`; and what
   * `rule` throws
   */
  async decideRuling(id: number, { requestId, decision, reason, approvers }: RulingDecision, by: Sender) {
    const { dispute } = await this.readableByMediator(id, by.user)
    const type = decision === 'approve' ? 'approveRuling' : 'rejectRuling'
    const command = { type, requestId, reason } as const
    if (decision === 'reject') return this.command(id, by, command)
    const known = await this.unlessAnswered(keyOf(id, by, command), () => this.rulingBasis(dispute))
    return this.command(id, by, command, { ...known, approvers })
  }

  /** What a ruling depends on besides the case. @throws as `assertRefund` and `settleableTerms`; `ESCROW_STOPPED_BY_PROVIDER` */
  private async rulingBasis(dispute: Case, refundAmount?: string) {
    if (isRefusedByBank(dispute, 'rule')) throw new DomainError('ESCROW_STOPPED_BY_PROVIDER')
    const terms = await this.settleableTerms(dispute)
    const basis = settlementBasis(terms)
    if (refundAmount !== undefined) assertRefund(basis, refundAmount, 'partial_refund')
    return {
      amountMinor: parseAmount(terms.held, dispute.currency),
      needsSecondAdmin: terms.needsSecondAdmin,
      ...(refundAmount !== undefined && { heldMinor: heldPriceMinor(basis) }),
    }
  }

  /** A case that a mediator may decide. @throws DomainError `NOT_FOUND`; `FORBIDDEN` for its parties */
  private async readableByMediator(id: number, user: UserActor) {
    const found = await this.readable(id, user)
    if (found.role !== 'mediator') throw new DomainError('FORBIDDEN')
    return found
  }

  /** A case that the user may read, and what they are in it. @throws DomainError `NOT_FOUND` */
  private async readable(id: number, user: UserActor) {
    const found = await this.cases.read(id)
    const role = found && roleIn(found.dispute, user)
    if (!role) throw new DomainError('NOT_FOUND')
    return { ...found, role }
  }

  /**
   * What a command depends on. A repeated request gets its first answer and depends on nothing, also when the deal holds nothing any more.
   * When both are sent at the same time, the first one may be answered while the other one asks.
   */
  private async unlessAnswered(key: IdempotencyKey | null, ask: () => Promise<Known>): Promise<Known> {
    if (await this.cases.isAnswered(key)) return {}
    try {
      return await ask()
    } catch (error) {
      if (await this.cases.isAnswered(key)) return {}
      throw error
    }
  }

  /** What the deal holds, of which a decision gives the buyer a part. Throws as `assertRefund` and `settleableTerms`. */
  private async heldFor(
    dispute: Case,
    refundAmount: string,
    decision: Parameters<typeof refundFault>[2],
  ): Promise<{ heldMinor: bigint }> {
    const basis = settlementBasis(await this.settleableTerms(dispute))
    assertRefund(basis, refundAmount, decision)
    return { heldMinor: heldPriceMinor(basis) }
  }

  /** What the deal holds. @throws DomainError `ESCROW_STOPPED_BY_PROVIDER` while the buyer's bank has not decided */
  private async settleableTerms({ transactionId }: Case) {
    const terms = await this.escrow.settlementTerms(transactionId)
    if (terms.waitsForBank) throw new DomainError('ESCROW_STOPPED_BY_PROVIDER')
    return terms
  }

  /** What the deal holds; null when escrow does not answer in time. */
  private async termsOf(transactionId: number) {
    const asked = this.escrow.settlementTerms(transactionId).then(({ version: _, ...terms }) => terms)
    const terms = asked.catch((error: unknown) => {
      this.log.warn({ err: error, transactionId }, 'escrow-svc does not say what the deal holds')
      return null
    })
    return (await isDoneWithin(TERMS_WITHIN_MS, terms)) ? terms : null
  }
}

const settlementCommand = (refundMinor: bigint, accepts: string | undefined): CaseCommand =>
  accepts === undefined ? { type: 'propose', refundMinor } : { type: 'agree', proposalId: accepts, refundMinor }

/** @throws DomainError `AMOUNT_INVALID`, which says what is wrong with the amount and names its limits */
function assertRefund(...amount: Parameters<typeof refundFault>): void {
  const fault = refundFault(...amount)
  if (fault) throw new DomainError('AMOUNT_INVALID', { fields: { refundAmount: fault } }, fault)
}

/** What a ruling gives the buyer, in minor units; null for all that is held. @throws DomainError naming `refundAmount` */
function ruledMinor(outcome: RulingOutcome, refundAmount: string | undefined, currency: Currency): bigint | null {
  if (outcome === 'partial_refund') {
    if (refundAmount === undefined) throw invalidFields({ refundAmount: 'Required' })
    // What cannot be read is refused with the limits, which only escrow knows.
    return findAmount(refundAmount, currency)
  }
  if (refundAmount !== undefined) throw invalidFields({ refundAmount: 'Only for a partial refund' })
  return outcome === 'seller_favor' ? 0n : null
}

function keyOf(id: number, { user, key }: Sender, command: CaseCommand): IdempotencyKey | null {
  if (key === null) return null
  const input = JSON.stringify([id, command], (_, value) => (typeof value === 'bigint' ? value.toString() : value))
  return { userId: user.id, route: command.type, key, inputHash: hashInput(input) }
}
