import type { TransactionState } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import { Deadlines } from './deadlines.js'
import { DealsRepository, hashInput, type Outcome, Replayed } from './deals.repository.js'
import { dueCommand } from './domain/clocks.js'
import { type Command, partyOf } from './domain/deal.js'
import { decide } from './domain/decisions.js'
import type { CommandType, Role } from './domain/transitions.js'

/** Somebody who gives a command by a request. */
export interface Party {
  readonly userId: string
  /** The client's idempotency key, when it sent one. */
  readonly key: string | null
}

/**
 * The commands of a deal. Each is one read, one pure decision and one write; what needs the provider or the carrier
 * stands in `payments/` and `tracking/`, which call these.
 */
@Injectable()
export class DealsService {
  constructor(
    private readonly repository: DealsRepository,
    private readonly deadlines: Deadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  accept(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'accept', { type: 'accept' })
  }

  confirmDelivery(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'confirm-delivery', { type: 'confirmDelivery' })
  }

  saveTracking(
    id: number,
    party: Party,
    parcel: { trackingNumber: string; carrier: string | null },
  ): Promise<TransactionState> {
    return this.command(id, party, 'tracking', { type: 'saveTracking', ...parcel })
  }

  startHandover(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'status', { type: 'startHandover' })
  }

  /** Cancels an unpaid deal. An open payment must be closed at the provider before (`PaymentsService.cancelDeal`). */
  cancel(id: number, party: Party): Promise<TransactionState> {
    return this.command(id, party, 'cancel', { type: 'cancel' })
  }

  /**
   * Returns the whole payment; the provider is asked once this is committed.
   *
   * @param paymentId the payment that settled the deal; null where there was none, so that the deal refuses it
   */
  refund(id: number, party: Party, paymentId: string | null): Promise<TransactionState> {
    return this.command(id, party, 'refund', { type: 'refund', paymentId, refundId: newId() })
  }

  /**
   * Does what a deal's clock says, if it is due by the row: early, late, twice and racing a party's own command are all
   * harmless.
   */
  async letTimePass(id: number, paymentId: string | null): Promise<Outcome | null> {
    const now = this.clock.now()
    const outcome = await this.repository.change(id, { by: 'clock:deadline', at: now }, t => {
      const type = dueCommand(t, now)
      if (!type) return null
      if (type !== 'endShipBy') return decide(t, { type }, this.given('clock', now))
      // Paid between the caller's look and this one: the clock that is due is another one, and comes again.
      if (!paymentId) return null
      return decide(t, { type, paymentId, refundId: newId() }, this.given('clock', now))
    })
    if (outcome) this.deadlines.notice(outcome)
    return outcome
  }

  /** Which command the deal's clock gives now; null while it gives none. */
  async dueCommandOf(id: number, now: Date = this.clock.now()): Promise<CommandType | null> {
    const transaction = await this.repository.find(id)
    return transaction && dueCommand(transaction, now)
  }

  /**
   * The carrier's word that a parcel has arrived. Null when the deal does not wait for it (any more), when its number was
   * corrected meanwhile, or when the scan is older than the payment: a number delivered before proves nothing.
   */
  async recordDelivery(
    id: number,
    parcel: { readonly trackingNumber: string; readonly scannedAt: Date; readonly carrier: string },
  ): Promise<Outcome | null> {
    const { trackingNumber, scannedAt, carrier } = parcel
    const now = this.clock.now()
    const outcome = await this.repository.change(id, { by: `carrier:${carrier}`, at: now }, t =>
      t.status === 'shipped' && t.trackingNumber === trackingNumber && t.paidAt && scannedAt >= t.paidAt
        ? decide(t, { type: 'recordDelivery' }, this.given('carrier', now))
        : null,
    )
    if (outcome) this.deadlines.notice(outcome)
    return outcome
  }

  /** Stops a deal for a dispute; the same dispute again changes nothing. The reporter must be a party. */
  async freeze(id: number, disputeId: number, reporterId: string) {
    const now = this.clock.now()
    const seen = { buyerId: '', sellerId: '', status: 'disputed' as DealStatus }
    await this.repository.change(id, { by: `user:${reporterId}`, at: now }, t => {
      if (!partyOf(t, reporterId)) throw new DomainError('TRANSACTION_NOT_FOUND')
      Object.assign(seen, { buyerId: t.buyerId, sellerId: t.sellerId })
      if (t.status === 'disputed' && t.frozen?.disputeId === disputeId) return null
      return decide(t, { type: 'freeze', disputeId }, this.given('mediation', now))
    })
    return { id, ...seen }
  }

  /** Takes a deal up again whose dispute a party has withdrawn. */
  async resume(id: number, disputeId: number, withdrawnBy?: string): Promise<TransactionState> {
    const now = this.clock.now()
    let status: DealStatus = 'disputed'
    const outcome = await this.repository.change(
      id,
      { by: withdrawnBy ? `user:${withdrawnBy}` : 'mediation:dispute-svc', at: now },
      t => {
        status = t.status
        return t.status === 'disputed' ? decide(t, { type: 'resume', disputeId }, this.given('mediation', now)) : null
      },
    )
    if (outcome) this.deadlines.notice(outcome)
    return { id, status: outcome?.change.status ?? status }
  }

  /** One command of a party: a stranger is told that there is no such deal. */
  private async command(id: number, party: Party, route: string, command: Command): Promise<TransactionState> {
    const now = this.clock.now()
    const answer = ({ change }: Outcome): TransactionState => ({ id, status: change.status })
    const keyed = party.key && {
      userId: party.userId,
      route,
      key: party.key,
      inputHash: hashInput([id, route === 'refund' ? null : command]),
      answer,
    }
    try {
      const outcome = await this.repository.change(
        id,
        { by: `user:${party.userId}`, at: now },
        t => {
          const role = partyOf(t, party.userId)
          if (!role) throw new DomainError('TRANSACTION_NOT_FOUND')
          return decide(t, command, this.given(role, now))
        },
        keyed || null,
      )
      if (!outcome) throw new Error(`deal ${id}: ${command.type} decided nothing`)
      this.deadlines.notice(outcome)
      return answer(outcome)
    } catch (error) {
      if (error instanceof Replayed) return error.answer as TransactionState
      throw error
    }
  }

  private given(role: Role, now: Date) {
    return { role, now, daySeconds: this.config.DAY_SECONDS }
  }
}
