import { newId } from '@holdfast/kernel/ids'
import { createAccount } from '@holdfast/sandbox/connect/accounts'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { PayoutSendingService } from '../src/payouts/payout-sending.service.js'
import type { RunningEscrow } from './running-escrow.js'

/** Most steps that a payout takes until nothing more is to be done: send it, ask about it, and take it back. */
const MAX_STEPS = 8

/** The payouts of one seller, and what the sandbox does with them and says about them. */
export class PayoutsAtProvider {
  private account = ''

  constructor(
    private readonly escrow: RunningEscrow,
    private readonly seller: UserActor,
  ) {}

  /** Makes the seller verified, with an account that can be paid. */
  async openAccount(): Promise<void> {
    const { context } = this.escrow.sandbox
    const account = createAccount(context, {})
    const bank = { id: `ba_${newId()}`, bankName: 'Test Bank', last4: '6789', instrument: 'pays', errored: false }
    context.state.accounts.put({ ...account, holder: 'Sam', bank })
    this.account = account.id
    await this.escrow.database.admin.query(
      `INSERT INTO escrow.payout_account (user_id, is_verified, provider_account_id, status, created_at, updated_at)
       VALUES ($1, true, $2, 'ready', now(), now())`,
      [this.seller.id, account.id],
    )
  }

  /** The seller asks for a payout. @returns the HTTP status */
  async request(key: string): Promise<string> {
    const headers = { 'idempotency-key': key }
    return String((await this.escrow.request('POST', '/api/payouts', { actor: this.seller, headers })).status)
  }

  /** Takes the next step of each payout, twice at the same time, as two replicas might. */
  async sendAll(): Promise<void> {
    const { rows } = await this.escrow.database.admin.query<{ id: string }>(
      'UPDATE escrow.payout SET due_at = now() WHERE seller_id = $1 AND due_at IS NOT NULL RETURNING id',
      [this.seller.id],
    )
    const sending = this.escrow.service.app.get(PayoutSendingService)
    await Promise.all(rows.flatMap(({ id }) => [sending.send(id), sending.send(id)]))
  }

  /** The bank takes the latest payout, or returns it: also one that it has taken. The account stays open. */
  async end(outcome: 'settle' | 'fail'): Promise<void> {
    const latest = [...this.escrow.sandbox.context.state.payouts.newestFirst()].find(
      each => each.accountId === this.account,
    )
    if (!latest) return
    await this.escrow.dependencies.tryControl(`/payouts/${latest.id}/${outcome}`, {})
    const { accounts } = this.escrow.sandbox.context.state
    const account = accounts.get(this.account)
    if (account?.bank?.errored) accounts.put({ ...account, bank: { ...account.bank, errored: false } })
  }

  /** Sends one of the provider's events about the payouts, as often as it was sent before. */
  async sendNth(nth: number, copy: boolean): Promise<void> {
    const events = this.events()
    const event = events[nth % events.length]
    if (event) await this.escrow.webhook(copy ? { ...event, id: `evt_${newId()}` } : event)
  }

  /** Sends every event, in reverse order and in order, and takes every step, so that the books can be compared. */
  async finish(): Promise<void> {
    for (const event of [...this.events().reverse(), ...this.events()]) {
      const { status } = await this.escrow.webhook(event)
      if (status !== 200) throw new Error(`${event.type} was answered with ${status}`)
    }
    for (let step = 0; step < MAX_STEPS && (await this.unfinished()) > 0; step++) await this.sendAll()
    const differences = await this.differences()
    if (differences.length > 0) throw new Error(`payouts differ from the provider: ${JSON.stringify(differences)}`)
  }

  /** The payouts that the provider failed and that are not on the seller's balance again. */
  private async unfinished(): Promise<number> {
    const { n } = await this.escrow.row<{ n: number }>(
      `SELECT count(*)::int AS n FROM escrow.payout WHERE seller_id = $1 AND status <> 'returned'
         AND (failure IS NOT NULL OR status = 'scheduled')`,
      [this.seller.id],
    )
    return n
  }

  /** Our payouts whose status is not what the provider has, or whose transfers are not one for each. */
  private async differences(): Promise<unknown[]> {
    const { rows } = await this.escrow.database.admin.query<{ id: string; status: string; provider: string | null }>(
      'SELECT id, status, provider_payout_id AS provider FROM escrow.payout WHERE seller_id = $1',
      [this.seller.id],
    )
    const { payouts, transfers } = this.escrow.sandbox.context.state
    return rows.flatMap(({ id, status, provider }) => {
      const made = [...transfers.oldestFirst()].filter(each => each.transferGroup === id)
      const kept = made.reduce((sum, each) => sum + each.amount - each.amountReversed, 0)
      const atProvider = provider === null ? null : (payouts.get(provider)?.status ?? null)
      const expected = atProvider === 'failed' ? 'returned' : (atProvider ?? status)
      const isRight = status === expected && made.length <= 1 && kept > 0 === (status !== 'returned' && made.length > 0)
      return isRight ? [] : [{ id, status, atProvider, transfers: made.length, kept }]
    })
  }

  private events() {
    return [...this.escrow.sandbox.context.state.events.oldestFirst()]
      .filter(({ type, account }) => type.startsWith('payout.') && account === this.account)
      .map(({ id, type, account, objectJson }) => ({
        ...{ id, object: 'event', type, livemode: false, account },
        data: { object: JSON.parse(objectJson) as object },
      }))
  }
}
