import type { Parsed } from '@holdfast/contracts/route'
import type { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import type { TransactionState } from '@holdfast/contracts/transactions'
import { isActive } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount, parseAmount } from '@holdfast/kernel/money'
import { heldPriceMinor } from '@holdfast/kernel/settlement'
import { hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import { DealDeadlines } from './deal-deadlines.js'
import { DealQueries } from './deal-queries.js'
import {
  DealsRepository,
  type Decide,
  type KeptAnswer,
  type Outcome,
  type ReadTime,
  Replayed,
} from './deals.repository.js'
import { dueCommand, waitsForCarrier } from './domain/clocks.js'
import {
  type ChangedBy,
  type Circumstances,
  CLOCK_ACTOR,
  type Command,
  type Deal,
  isParcelAwaited,
  OUTAGE_ACTOR,
  partyOf,
  type ShipmentInput,
} from './domain/deal.js'
import { decide, endDispute, extendClock } from './domain/decisions.js'
import type { CommandType, Role } from './domain/transitions.js'

type Resumption = Parsed<typeof transactionInternalRoutes.resumeTransaction>['body']
type Settlement = Parsed<typeof transactionInternalRoutes.settleDispute>['body']

/** The user who gives a command by a request. */
export interface Party {
  readonly userId: string
  /** The client's idempotency key, when it sent one. */
  readonly key: string | null
  /** The request for which the key was sent, where one request can give several commands. */
  readonly keyRoute?: 'status'
}

/** A deal whose clock ran while no replica could act. */
export interface DealInOutage {
  readonly id: number
  /** The deal's version when it was found. */
  readonly version: number
  /** The part of the outage in which the clock ran. */
  readonly lostMs: number
  readonly outageEndedAt: Date
}

/**
 * The commands of a deal. Each is one read, one pure decision and one write. Steps that need the payment provider or the
 * carrier are in `payments/` and `tracking/`, which call this service.
 */
@Injectable()
export class DealsService {
  constructor(
    private readonly repository: DealsRepository,
    private readonly queries: DealQueries,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  accept(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'accept', { type: 'accept' })
  }

  confirmDelivery(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'confirm-delivery', { type: 'confirmDelivery' })
  }

  saveTracking(id: number, party: Party, parcel: ShipmentInput): Promise<TransactionState> {
    return this.command(id, party, 'tracking', { type: 'saveTracking', ...parcel })
  }

  startHandover(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'status', { type: 'startHandover' })
  }

  /** Cancels an unpaid deal. The caller must cancel an open payment at the provider first (`CancellationService`). */
  cancel(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'cancel', { type: 'cancel' })
  }

  /**
   * The first answer to a request to cancel; undefined for a new one. The caller asks for it before it cancels the payment at
   * the provider: a request that is refused because of its key must not cancel a payment.
   *
   * @throws DomainError `IDEMPOTENCY_KEY_REUSED`
   */
  async findAnswerToCancel(id: number, party: Party): Promise<TransactionState | undefined> {
    const key = keyOf(id, party, 'cancel', { type: 'cancel' })
    return key ? ((await this.repository.findAnswer(id, key)) as TransactionState | undefined) : undefined
  }

  /** Refunds the whole payment. `RefundsService` sends the money once this is committed. */
  refund(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'refund', { type: 'refund' })
  }

  /**
   * Gives a deal the command of its clock, if the clock is due. Calling it early, late, twice or at the same time as a
   * party's command is safe. It does not end a payment window or a receive-by date: see `endPaymentWindow`, `endReceiveBy`.
   *
   * @returns null when nothing was due
   */
  endDueClock(id: number): Promise<Outcome | null> {
    return this.endClock(id, type => type === 'endShipBy' || type === 'endInspection')
  }

  /**
   * Files the system's dispute about an item that was not reported as delivered in time. The caller must ask the carrier
   * first (`ReceiveByService`).
   *
   * @param carrierAnswered false when the carrier gave no answer that is believed: then nothing happens for a limited time
   */
  endReceiveBy(id: number, carrierAnswered: boolean): Promise<Outcome | null> {
    return this.endClock(
      id,
      (type, deal, given) => type === 'endReceiveBy' && (carrierAnswered || !waitsForCarrier(deal, given)),
    )
  }

  /**
   * Cancels a deal whose payment window has ended. The caller must cancel an open payment at the provider first
   * (`CancellationService`).
   */
  endPaymentWindow(id: number): Promise<Outcome | null> {
    return this.endClock(id, type => type === 'endPaymentWindow')
  }

  /** The command of the deal's clock; null while the clock is not due. */
  async dueCommandOf(id: number): Promise<CommandType | null> {
    const found = await this.repository.findAt(id)
    return found && dueCommand(found.deal, found.time.clocksEndUntil)
  }

  /**
   * Starts the inspection because the carrier reports a delivery.
   *
   * @returns null when the deal does not wait for a parcel, when its tracking number was corrected since, or when the scan
   * is older than the payment: then it belongs to an earlier parcel with the same number
   */
  recordDelivery(
    id: number,
    parcel: { readonly trackingNumber: string; readonly scannedAt: Date; readonly carrier: string },
  ): Promise<Outcome | null> {
    const { trackingNumber, scannedAt, carrier } = parcel
    return this.change(id, `carrier:${carrier}`, (deal, time) =>
      isParcelAwaited(deal) && deal.trackingNumber === trackingNumber && deal.paidAt && scannedAt >= deal.paidAt
        ? decide(deal, { type: 'recordDelivery' }, this.circumstancesOf('carrier', time))
        : null,
    )
  }

  /**
   * Stops a deal for a dispute. The same dispute again changes nothing.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND` when the reporter is not a party; `ESCROW_WRONG_STATE`; `SELLER_NOT_ACCEPTED` for the
   * buyer of a seller who has not accepted the deal; `DISPUTE_ENDED` when the call arrives after the end of its dispute
   */
  async freeze(id: number, disputeId: number, reporterId: string) {
    const outcome = await this.change(id, `user:${reporterId}`, (deal, time) => {
      const reporter = partyOf(deal, reporterId)
      if (!reporter) throw new DomainError('TRANSACTION_NOT_FOUND')
      if (deal.status === 'disputed' && deal.frozen?.disputeId === disputeId) return null
      return decide(deal, { type: 'freeze', disputeId, reporter }, this.circumstancesOf('mediation', time))
    })
    const { buyerId, sellerId, title, priceMinor, currency } = outcome?.deal ?? (await this.get(id))
    const amount = formatAmount(priceMinor, currency)
    return { id, buyerId, sellerId, status: 'disputed' as const, title, amount, currency }
  }

  /**
   * Ends a dispute that a party has withdrawn, and resumes its deal. For a dispute that has ended it does nothing. When the
   * promise resolves, no call can freeze the deal for this dispute any more.
   *
   * A withdrawal that the deal refuses is taken back. So each call names the version of the deal that its sender has read, as for
   * `settle`.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`; `CONFLICT` naming the dispute when another one freezes the deal, or naming the version
   * when the deal has changed; `ESCROW_STOPPED_BY_PROVIDER`
   */
  async resume(id: number, { disputeId, withdrawnBy, dealVersion }: Resumption): Promise<TransactionState> {
    const by: ChangedBy = withdrawnBy ? `user:${withdrawnBy}` : 'mediation:dispute-svc'
    const outcome = await this.change(id, by, (deal, time) => {
      if (deal.endedDisputes.includes(disputeId)) return null
      if (dealVersion !== undefined) assertVersion(deal, dealVersion)
      if (deal.status === 'disputed')
        return decide(deal, { type: 'resume', disputeId }, this.circumstancesOf('mediation', time))
      return isActive(deal.status) ? endDispute(deal, disputeId) : null
    })
    // The carrier may have delivered the item while the deal was stopped. Its report applies now.
    if (outcome) await this.deadlines.askCarrierNow(id)
    return { id, status: outcome?.change.status ?? (await this.get(id)).status }
  }

  /**
   * Ends a dispute with money. For a dispute that has ended with this decision it does nothing. One that has ended otherwise, such as with
   * a refund by an operator, was not ended by it.
   *
   * A decision can be taken back when the deal refuses it. A call for it may arrive later, when the deal would no longer refuse. So
   * each call names the version of the deal that its sender has read, and is refused once the deal has changed.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`; `AMOUNT_INVALID`; `CONFLICT` naming the dispute when another one stops the deal, or
   * naming the version when the deal has changed; `ESCROW_WRONG_STATE`, also when the dispute has ended otherwise;
   * `ESCROW_STOPPED_BY_PROVIDER` while the buyer's bank has not decided about a chargeback
   */
  async settle(id: number, settlement: Settlement): Promise<TransactionState> {
    const { disputeId, stoppedAtVersion, dealVersion, refundAmount, heldAmount, cause } = settlement
    const by: ChangedBy = settlement.by ? `user:${settlement.by}` : 'mediation:dispute-svc'
    const outcome = await this.change(id, by, (deal, time) => {
      if (deal.endedDisputes.includes(disputeId)) return null
      assertVersion(deal, dealVersion)
      const { currency } = deal
      const refundMinor =
        refundAmount === null ? heldPriceMinor(deal) : parseAmount(refundAmount, currency, 'refundAmount')
      const heldMinor = heldAmount === null ? null : parseAmount(heldAmount, currency)
      const command = { type: 'settleDispute', disputeId, stoppedAtVersion, refundMinor, heldMinor, cause } as const
      return decide(deal, command, this.circumstancesOf('mediation', time))
    })
    if (outcome) return { id, status: outcome.change.status }
    const { status } = await this.get(id)
    if (await this.queries.hasStep(id, cause)) return { id, status }
    throw new DomainError('ESCROW_WRONG_STATE', { from: status, to: 'completed', allowed: [] })
  }

  /** @throws DomainError `TRANSACTION_NOT_FOUND` */
  private async get(id: number): Promise<Deal> {
    const deal = await this.repository.find(id)
    if (!deal) throw new DomainError('TRANSACTION_NOT_FOUND')
    return deal
  }

  /**
   * Extends a deal's clock by the part of an outage in which it ran.
   *
   * @returns null when the deal has changed since it was found
   */
  extendClock({ id, version, lostMs, outageEndedAt }: DealInOutage): Promise<Outcome | null> {
    return this.change(id, OUTAGE_ACTOR, deal =>
      deal.version === version ? extendClock(deal, lostMs, outageEndedAt) : null,
    )
  }

  /** Gives a party's command. @throws DomainError `TRANSACTION_NOT_FOUND` for a stranger, besides what `decide` throws */
  private async command(id: number, party: Party, route: string, command: Command): Promise<TransactionState> {
    const answer = ({ change }: Outcome): TransactionState => ({ id, status: change.status })
    const key = keyOf(id, party, route, command)
    const decideFor: Decide = (deal, time) => {
      const role = partyOf(deal, party.userId)
      if (!role) throw new DomainError('TRANSACTION_NOT_FOUND')
      return decide(deal, command, this.circumstancesOf(role, time))
    }
    try {
      const outcome = await this.change(id, `user:${party.userId}`, decideFor, key && { key, answer })
      if (!outcome) throw new Error(`deal ${id}: ${command.type} decided nothing`)
      return answer(outcome)
    } catch (error) {
      if (error instanceof Replayed) return error.answer as TransactionState
      throw error
    }
  }

  private endClock(
    id: number,
    isWanted: (type: CommandType, deal: Deal, given: Circumstances) => boolean,
  ): Promise<Outcome | null> {
    return this.change(id, CLOCK_ACTOR, (deal, time) => {
      const type = dueCommand(deal, time.clocksEndUntil)
      const given = this.circumstancesOf('clock', time)
      return type && isWanted(type, deal, given) ? decide(deal, { type }, given) : null
    })
  }

  private async change(
    id: number,
    by: ChangedBy,
    decide: Decide,
    keep: KeptAnswer | null = null,
  ): Promise<Outcome | null> {
    const outcome = await this.repository.change(id, by, decide, keep)
    if (outcome) this.deadlines.notice(outcome)
    return outcome
  }

  private circumstancesOf(role: Role, { now }: ReadTime): Circumstances {
    return { role, now, daySeconds: this.config.DAY_SECONDS, refundId: newId() }
  }
}

/** @throws DomainError `CONFLICT` when the deal has changed since its version was read */
function assertVersion({ version }: Deal, read: number): void {
  if (version !== read) throw new DomainError('CONFLICT', { version })
}

function keyOf(id: number, { userId, key, keyRoute }: Party, route: string, command: Command): IdempotencyKey | null {
  return key === null ? null : { userId, route: keyRoute ?? route, key, inputHash: hashInput([id, command]) }
}
