import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispute } from '@holdfast/contracts/disputes'
import { transactionChargebackClosed, transactionDisputed } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import type { DealStatus, DisputeCause } from '@holdfast/kernel/deals'
import { ACTOR_HEADER, parseActorKeys, type UserActor, verifyActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchService, type Started, startOnScratch } from '@holdfast/testing/scratch-service'
import { testActorKeys, userActor } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { loadDisputeConfig } from '../src/config.js'
import { DisputesService } from '../src/disputes/disputes.service.js'
import { plan } from '../src/migrations/plan.js'
import { disputeService } from '../src/service.js'

const ESCROW_KEYS = testActorKeys('escrow-svc', 'dispute-svc')
let deals = 0

/** A new deal with two parties. */
export const aDeal = () => ({ id: ++deals, buyer: userActor(), seller: userActor() })
export type Deal = ReturnType<typeof aDeal>

/** A call that escrow received. */
interface ReceivedCall {
  readonly path: string
  readonly body: { readonly disputeId: number; readonly reporterId?: string }
}

/** Replaces escrow-svc in tests, with real HTTP and real signatures. */
export class FakeEscrow {
  readonly received: ReceivedCall[] = []
  /** The answer to a call; null breaks the connection after the call was read. */
  answer: (received: ReceivedCall) => { readonly status: number; readonly body: object } | null = () => null
  private readonly server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [method, path] = [request.method!, request.url!]
    const keys = parseActorKeys(ESCROW_KEYS)
    if (typeof keys === 'string') throw new Error(keys)
    const signature = String(request.headers[ACTOR_HEADER])
    const caller = verifyActor(signature, { keys, callee: 'escrow-svc', method, path, now: new Date() })
    const received: ReceivedCall = { path, body: JSON.parse(Buffer.concat(chunks).toString()) }
    this.received.push(received)
    const answer = caller ? this.answer(received) : { status: 403, body: {} }
    if (!answer) return request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })

  /** Freezes and resumes one deal for its parties as escrow does, for one dispute at a time. */
  agree({ id, buyer, seller }: Deal): void {
    let frozenFor: number | null = null
    this.answer = ({ path, body }) => {
      const isFreeze = path.endsWith('/freeze')
      if (isFreeze && body.reporterId !== buyer.id && body.reporterId !== seller.id)
        return refusal(404, 'TRANSACTION_NOT_FOUND')
      if (frozenFor !== null && frozenFor !== body.disputeId) return refusal(409, 'ESCROW_WRONG_STATE')
      frozenFor = isFreeze ? body.disputeId : null
      return { status: 200, body: { id, buyerId: buyer.id, sellerId: seller.id, status: 'disputed' } }
    }
  }

  refuse(status: number, code: string): void {
    this.answer = () => refusal(status, code)
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }
}

const refusal = (status: number, code: string) => ({ status, body: { code, message: 'no', details: null } })

/** dispute-svc with a fake escrow. */
export class RunningDispute extends ScratchService {
  private constructor(
    started: Started,
    readonly escrow: FakeEscrow,
  ) {
    super(started)
  }

  static async start(): Promise<RunningDispute> {
    const escrow = new FakeEscrow()
    const ESCROW_URL = await escrow.start()
    const started = await startOnScratch({
      plan,
      more: [{ ...timersPlan, grants: timersGrants([plan.role]) }],
      callers: ['gateway'],
      service: env => {
        const keys = { ...JSON.parse(env.ACTOR_KEYS!), ...JSON.parse(ESCROW_KEYS) }
        return disputeService(loadDisputeConfig({ ...env, ACTOR_KEYS: JSON.stringify(keys), ESCROW_URL }))
      },
    })
    return new RunningDispute(started, escrow)
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.escrow.stop()
  }

  file(deal: Pick<Deal, 'id'>, reporter: UserActor) {
    const body = { transactionId: deal.id, reason: 'damaged_item', description: 'It is in two pieces.' }
    return this.client.request<Dispute & { code?: string }>('POST', '/api/disputes', { actor: reporter, body })
  }

  withdraw(id: number, who: UserActor) {
    return this.client.request<Dispute & { code?: string }>('POST', `/api/disputes/${id}/withdraw`, { actor: who })
  }

  /** The disputes that a user sees. */
  async listOf(who: UserActor): Promise<Dispute[]> {
    return (await this.client.request<Dispute[]>('GET', `/api/disputes/user/${who.id}`, { actor: who })).body
  }

  /** Makes the next attempt due, and resolves when an attempt has settled the dispute. */
  async retry(id: number): Promise<void> {
    await this.database.admin.query('UPDATE dispute.dispute SET retry_at = now() WHERE id = $1', [id])
    await this.running.app.get(DisputesService, { strict: false }).retry(id)
    const settled = `SELECT 1 FROM dispute.dispute WHERE id = $1 AND step = 'settled'`
    await eventually(async () => (await this.database.admin.query(settled, [id])).rowCount)
  }

  /** Publishes that the buyer's bank has decided about the payment of a deal; resolves when the event is handled. */
  async bankDecided({ id, buyer, seller }: Deal, outcome: 'won' | 'lost', status: DealStatus): Promise<void> {
    const at = new Date()
    const facts = { transactionId: id, listingId: 1, buyerId: buyer.id, sellerId: seller.id, title: 'Camera' }
    const more = { amount: '100.00', currency: 'USD' as const, status, at: at.toISOString(), actor: 'provider:stripe' }
    const payload = { ...facts, ...more, chargeback: '107.00', outcome }
    await publishAs('escrow-svc', this.database, newEvent(transactionChargebackClosed, id, payload, at))
    await eventually(() => isCaughtUp('dispute-svc', this.database))
  }

  /** Publishes that escrow froze a deal; resolves when the event is handled. */
  async escrowFroze({ id, buyer, seller }: Deal, cause: DisputeCause): Promise<void> {
    const at = new Date()
    const facts = { transactionId: id, listingId: 1, buyerId: buyer.id, sellerId: seller.id, title: 'Camera' }
    const money = { amount: '100.00', currency: 'USD', status: 'disputed', at: at.toISOString(), actor: 'system' }
    const event = newEvent(transactionDisputed, id, { ...facts, ...money, disputeId: null, cause } as never, at)
    await publishAs('escrow-svc', this.database, event)
    await eventually(() => isCaughtUp('dispute-svc', this.database))
  }

  /** The types of the events about a deal's disputes, oldest first, once the outbox is empty. */
  async published(transactionId: number): Promise<string[]> {
    await eventually(async () => (await this.database.admin.query('SELECT 1 FROM dispute.outbox')).rowCount === 0)
    const { rows } = await this.database.admin.query<{ type: string }>(
      `SELECT type FROM events.log WHERE topic = 'dispute.dispute' AND payload ->> 'transactionId' = $1 ORDER BY position`,
      [String(transactionId)],
    )
    return rows.map(row => row.type)
  }

  /** The status and step of each dispute of a deal. */
  async stepsOf(transactionId: number): Promise<{ id: number; status: string; step: string }[]> {
    const { rows } = await this.database.admin.query<{ id: number; status: string; step: string }>(
      'SELECT id::int AS id, status, step FROM dispute.dispute WHERE transaction_id = $1 ORDER BY id',
      [transactionId],
    )
    return rows
  }
}
