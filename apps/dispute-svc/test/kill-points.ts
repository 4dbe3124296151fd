import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import type { SignedClient } from '@holdfast/testing/signed-client'
import type { PoolClient } from 'pg'
import type { CaseDriver } from './case-driver.js'
import type { HeldCall, Step } from './escrow-line.js'
import type { ShippedDeal, TwoServices } from './two-services.js'

/** Where one of the two services is killed while dispute-svc calls escrow-svc. */
export const KILL_POINTS = [
  'before the call',
  'after escrow’s commit, before its answer',
  'after the answer, before our commit',
] as const
type KillPoint = (typeof KILL_POINTS)[number]

/** A request that makes dispute-svc call escrow-svc. */
export interface CallingRequest {
  readonly step: Step
  readonly deal: ShippedDeal
  readonly path: string
  readonly actor: UserActor
  readonly body?: object
}

/** What makes each call: a filing, a withdrawal, and the acceptance of a proposal of 30. */
export const filing = (deal: ShippedDeal): CallingRequest => ({
  ...{ step: 'freeze', deal, path: '/api/disputes', actor: deal.buyer },
  body: { transactionId: deal.id, reason: 'damaged_item', description: 'It is in two pieces.' },
})
export const withdrawal = ({ deal, id }: CaseDriver): CallingRequest => ({
  ...{ step: 'resume', deal, path: `/api/disputes/${id}/withdraw`, actor: deal.buyer },
})
export const acceptance = ({ deal, id }: CaseDriver): CallingRequest => ({
  ...{ step: 'settle-dispute', deal, path: `/api/disputes/${id}/settlement`, actor: deal.seller },
  body: { refundAmount: '30' },
})

/** Brings calls to the points at which one of the two services is killed, and lets them go on afterwards. */
export class StandingCalls {
  private readonly held: HeldCall[] = []
  /** Holds the locks of the disputes whose commit is held back. */
  private locks: PoolClient | null = null
  private locked = 0

  /** @param client of the replica of dispute-svc that makes the calls */
  constructor(
    private readonly services: TwoServices,
    private readonly client: SignedClient,
  ) {}

  /** Sends a request, and lets its call to escrow get as far as the point. @returns the dispute's id */
  async standAt({ step, deal, path, actor, body }: CallingRequest, point: KillPoint): Promise<number> {
    const call = this.services.line.holdNext(step)
    // The sender of a request to a killed service gets no answer.
    void this.client.request('POST', path, { actor, body }).catch(() => undefined)
    await call.made
    const id = await this.services.latestOn(deal)
    // No other replica repeats the call before the kill.
    await this.admin.query(`UPDATE dispute.dispute SET retry_at = now() + interval '1 hour' WHERE id = $1`, [id])
    if (point === 'after the answer, before our commit') await this.holdCommit(id, call)
    else this.held.push(call)
    if (point === 'after escrow’s commit, before its answer') await call.deliver()
    return id
  }

  /** Ends the connections of the killed dispute-svc that wait to commit, as PostgreSQL does when it notices the kill. */
  async endWaitingConnections(): Promise<void> {
    await this.admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${IS_WAITING}`)
  }

  /** Breaks the connections of calls that were not answered, and lets commits go on. */
  async goOn(): Promise<void> {
    for (const call of this.held) call.lose()
    await this.locks?.query('ROLLBACK')
    this.locks?.release()
  }

  /** Locks the dispute, and passes escrow's answer on: the commit that follows waits for the lock. */
  private async holdCommit(id: number, call: HeldCall): Promise<void> {
    if (!this.locks) {
      this.locks = await this.admin.connect()
      await this.locks.query('BEGIN')
    }
    await this.locks.query('SELECT FROM dispute.dispute WHERE id = $1 FOR UPDATE', [id])
    await call.answer()
    this.locked++
    const waiting = `SELECT FROM pg_stat_activity WHERE ${IS_WAITING}`
    await eventually(async () => (await this.admin.query(waiting)).rowCount === this.locked)
  }

  private get admin() {
    return this.services.database.admin
  }
}

const IS_WAITING = 'datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0'
