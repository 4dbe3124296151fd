import type { Dispute, DisputeCaseRecord, Evidence } from '@holdfast/contracts/disputes'
import { disputeProgressed, type PayloadOf } from '@holdfast/contracts/events'
import { MAX_APPROVERS } from '@holdfast/kernel/admin'
import type { DisputeClock } from '@holdfast/kernel/disputes'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { userActor } from '@holdfast/testing/signed-client'
import { CaseClocksTimer } from '../src/cases/case-clocks.timer.js'
import { ReturnsTimer } from '../src/cases/returns.timer.js'
import type { ShippedDeal, TwoServices } from './two-services.js'

const known = new Set<string>()
/** The admins whose word counts, as identity-svc knows them: every mediator of the tests, without those named. */
const approvers = (without: readonly UserActor[] = []): string[] =>
  [...known].slice(-MAX_APPROVERS).filter(id => !without.some(each => each.id === id))

/** A mediator without a part in any deal, appointed long ago. */
export function aMediator(): UserActor {
  const mediator = { ...userActor(), role: 'admin' as const }
  known.add(mediator.id)
  return mediator
}

/** The same, appointed a moment ago. */
export const aNewMediator = (): UserActor => ({ ...userActor(), role: 'admin' })

/** Plays the parties and the mediators of one dispute that is open at both services. */
export class CaseDriver {
  private constructor(
    private readonly services: TwoServices,
    readonly deal: ShippedDeal,
    readonly id: number,
  ) {}

  /** A shipped deal on which its buyer has filed a dispute. */
  static async open(services: TwoServices, price = '100.00'): Promise<CaseDriver> {
    const deal = await services.shipped(price)
    const { body } = await services.file(deal, deal.buyer)
    return new CaseDriver(services, deal, body.id)
  }

  static of(services: TwoServices, deal: ShippedDeal, id: number): CaseDriver {
    return new CaseDriver(services, deal, id)
  }

  get buyer(): UserActor {
    return this.deal.buyer
  }
  get seller(): UserActor {
    return this.deal.seller
  }

  propose(who: UserActor, refundAmount: string, key?: string) {
    return this.command('settlement', who, { refundAmount }, key)
  }

  /** The latest open proposal: of any party, or of one. */
  async openProposal(by?: 'buyer' | 'seller') {
    const { proposals } = await this.seenBy(this.buyer)
    return proposals.findLast(({ role, state }) => state === 'open' && (!by || role === by))
  }

  /** The open proposal of a party, as an acceptance names it. */
  async proposalOf(who: UserActor): Promise<{ id: string; refundAmount: string }> {
    const { id, refundAmount } = (await this.openProposal(who.id === this.buyer.id ? 'buyer' : 'seller'))!
    return { id, refundAmount }
  }

  /** Accepts a proposal as it was seen. */
  accept(who: UserActor, { id: accepts, refundAmount }: { id: string; refundAmount: string }, key?: string) {
    return this.command('settlement', who, { accepts, refundAmount }, key)
  }

  decline(who: UserActor, proposalId: string, key?: string) {
    return this.command('settlement/decline', who, { proposalId }, key)
  }

  /** A step of a party: `waive`, `appeal`, `return`, `return/confirm`, `return/contest`. */
  command(step: string, who: UserActor, body?: object, key?: string) {
    return this.services.ask(`/api/disputes/${this.id}/${step}`, who, key, body)
  }

  addEvidence(who: UserActor, note = 'See for yourself.') {
    const path = `/api/disputes/${this.id}/evidence`
    return this.services.ask<Evidence>(path, who, undefined, { note })
  }

  rule(mediator: UserActor, ruling: object, key: string = newId()) {
    const body = { resolution: 'The pictures show it.', approvers: approvers(), ...ruling }
    return this.services.ask<Dispute & { approvalId: string | null }>(
      `/internal/disputes/${this.id}/ruling`,
      mediator,
      key,
      body,
    )
  }

  /** A mediator takes the case, or takes it over from another one. */
  take(mediator: UserActor, takeOver = false) {
    return this.services.replicas
      .nextDispute()
      .client.request<{ code?: string }>('PATCH', `/api/admin/disputes/${this.id}`, {
        actor: mediator,
        body: { status: 'investigating', takeOver },
      })
  }

  /** Decides about the ruling that waits. `without` are admins whose word does not count. */
  decideRuling(
    mediator: UserActor,
    requestId: string,
    decision: 'approve' | 'reject' = 'approve',
    without: readonly UserActor[] = [],
  ) {
    const body = { requestId, decision, reason: 'I looked at it.', approvers: approvers(without) }
    return this.services.ask(`/internal/disputes/${this.id}/ruling/decision`, mediator, undefined, body)
  }

  /** The case as a user sees it. */
  async seenBy(actor: UserActor): Promise<DisputeCaseRecord> {
    return (await this.read(actor)).body
  }

  read(actor: UserActor) {
    const { client } = this.services.replicas.nextDispute()
    return client.request<DisputeCaseRecord>('GET', `/internal/disputes/${this.id}`, { actor })
  }

  /** The events about the steps of the dispute, by which messaging-svc notifies the parties. The oldest comes first. */
  async progress(): Promise<PayloadOf<typeof disputeProgressed>[]> {
    await this.services.eventsHandled()
    const { rows } = await this.services.database.admin.query(
      'SELECT payload FROM events.log WHERE type = $1 AND key = $2 ORDER BY position',
      [disputeProgressed.type, String(this.id)],
    )
    return rows.map(({ payload }) => disputeProgressed.payload.parse(payload))
  }

  async status(): Promise<Dispute['status']> {
    return (await this.seenBy(this.buyer)).status
  }

  /** Lets a time limit end now, on both replicas at the same moment. */
  async endClock(kind: DisputeClock): Promise<void> {
    const { rows } = await this.services.database.admin.query<{ id: string }>(
      `UPDATE dispute.dispute_clock SET due_at = now(), wake_at = now() WHERE dispute_id = $1 AND kind = $2 AND ended_at IS NULL
         AND stopped_at IS NULL RETURNING id`,
      [this.id, kind],
    )
    // Another step may have ended it meanwhile.
    if (rows[0]) await this.fire(rows[0].id)
  }

  /** The same for a time limit that may not run. */
  async endClockIfItRuns(kind: DisputeClock): Promise<void> {
    const { clocks } = await this.seenBy(this.buyer)
    if (clocks.some(clock => clock.kind === kind)) await this.endClock(kind)
  }

  /** Lets the reminder of a time limit be due now. */
  async remindOf(kind: DisputeClock): Promise<void> {
    const { rows } = await this.services.database.admin.query<{ id: string }>(
      `UPDATE dispute.dispute_clock SET wake_at = now() WHERE dispute_id = $1 AND kind = $2 AND ended_at IS NULL RETURNING id`,
      [this.id, kind],
    )
    await this.fire(rows[0]!.id)
  }

  /** Asks the carrier about the returned parcel now, from both replicas at the same moment. */
  async askCarrier(): Promise<void> {
    await this.services.database.admin.query('UPDATE dispute.return_parcel SET poll_at = now() WHERE dispute_id = $1', [
      this.id,
    ])
    const timer = () => this.services.replicas.nextDispute().running.app.get(ReturnsTimer, { strict: false })
    await Promise.all([timer().fire(this.id), timer().fire(this.id)])
  }

  private async fire(clockId: string): Promise<void> {
    const timer = () => this.services.replicas.nextDispute().running.app.get(CaseClocksTimer, { strict: false })
    // A call whose outcome is unknown rejects, as it does for the timers, and is repeated.
    await Promise.allSettled([timer().fire(clockId), timer().fire(clockId)])
  }

  /** Where the buyer's payment is, and how often the deal was settled. */
  async money(): Promise<{
    status: string
    hold: number
    released: number
    refunded: number
    revenue: number
    settlements: number
  }> {
    const { rows } = await this.services.database.admin.query(
      `SELECT t.status, t.hold_minor::int AS hold, t.released_minor::int AS released, t.refunded_minor::int AS refunded,
         t.revenue_minor::int AS revenue,
         (SELECT count(*)::int FROM escrow.journal_entry e WHERE e.transaction_id = t.id AND e.kind = 'settlement') AS settlements
       FROM escrow.transaction t WHERE t.id = $1`,
      [this.deal.id],
    )
    return rows[0]
  }
}
