import type { Payout, PayoutAccount, PayoutsOverview } from '@holdfast/contracts/payouts'
import { newId } from '@holdfast/kernel/ids'
import type { PayoutStatus } from '@holdfast/kernel/payouts'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { succeeded } from '@holdfast/testing/stripe-events'
import { untilServed } from '@holdfast/testing/until-served'
import { DataSource } from 'typeorm'
import { PayoutAccountsService } from '../src/payouts/payout-accounts.service.js'
import { PayoutSendingService } from '../src/payouts/payout-sending.service.js'
import { PayoutsService } from '../src/payouts/payouts.service.js'
import type { RunningEscrow } from './running-escrow.js'

/** Account numbers of the sandbox. */
export const GOOD_BANK = '000123456789'
export const CLOSED_BANK = '000111111113'

/** Does what sellers, the provider and the timers do about payouts. */
export class SellerPayouts {
  constructor(private readonly escrow: RunningEscrow) {}

  /** A verified seller with a ready payout account. */
  async seller(bank = GOOD_BANK): Promise<UserActor> {
    const seller = userActor()
    await this.verify(seller)
    await this.addBank(seller, bank)
    return seller
  }

  /** Verifies a user, or takes their verification back. */
  async verify({ id }: UserActor, isVerified = true): Promise<void> {
    await this.escrow.database.admin.query(
      `INSERT INTO escrow.payout_account (user_id, is_verified, created_at, updated_at) VALUES ($1, $2, now(), now())
       ON CONFLICT (user_id) DO UPDATE SET is_verified = $2`,
      [id, isVerified],
    )
  }

  /** Names a bank account, and confirms it when it is another one: payouts into it do not wait. */
  async addBank(seller: UserActor, number: string): Promise<void> {
    await this.nameBank(seller, number)
    const { change } = await this.escrow.row<{ change: string | null }>(
      'SELECT bank_change_id AS change FROM escrow.payout_account WHERE user_id = $1',
      [seller.id],
    )
    if (change === null) return
    const { app } = this.escrow.service
    const confirmed = { userId: seller.id, changeId: change, at: new Date().toISOString() }
    await app.get(DataSource).transaction(dbTx => app.get(PayoutAccountsService).goOn(confirmed, dbTx))
  }

  /** Fills in the provider's form, and sends what the provider says about it. */
  async nameBank(seller: UserActor, number: string): Promise<void> {
    const { body } = await this.escrow.request<{ onboardingUrl: string }>('PUT', '/api/payout-account', {
      actor: seller,
      body: {},
    })
    const form = new URLSearchParams({ holder: 'Sam Seller', routing: '110000000', number })
    // The sandbox names itself localhost and listens on 127.0.0.1.
    const url = this.escrow.dependencies.origin + new URL(body.onboardingUrl).pathname
    const response = await fetch(url, { method: 'POST', body: form, redirect: 'manual' })
    if (response.status !== 303) throw new Error(`the form was not accepted: ${response.status}`)
    const { account } = await this.escrow.row<{ account: string }>(
      'SELECT provider_account_id AS account FROM escrow.payout_account WHERE user_id = $1',
      [seller.id],
    )
    // Those of the other sellers would be far more, and each makes the escrow ask the provider.
    const events = this.eventsOf('account.updated').filter(event => event.account === account)
    for (const event of events) await this.deliver(event)
  }

  /** A deal that was paid at the provider and completed, so that its seller has a balance. */
  async sell(seller: UserActor, price = '100.00'): Promise<{ id: number; intent: string; totalMinor: number }> {
    const { escrow } = this
    const deal = await escrow.open({ inspectionDays: 0, price }, userActor(), seller)
    const intent = await escrow.beginPayment(deal)
    await escrow.confirmCard(intent)
    await escrow.webhook(succeeded(intent, deal.totalMinor))
    const { status } = await untilServed(() => escrow.act(deal.id, deal.buyer, 'confirm-delivery'))
    if (status !== 200) throw new Error(`the deal was not completed: ${status}`)
    return { id: deal.id, intent, totalMinor: deal.totalMinor }
  }

  overview(seller: UserActor) {
    return untilServed(() => this.escrow.request<PayoutsOverview>('GET', '/api/payouts', { actor: seller }))
  }

  account(seller: UserActor) {
    return this.escrow.request<PayoutAccount>('GET', '/api/payout-account', { actor: seller })
  }

  /** Asks for a payout as a person does: again while it is answered 503. */
  request(...payout: Parameters<SellerPayouts['requestOnce']>) {
    const [seller, key = newId()] = payout
    return untilServed(() => this.requestOnce(seller, key))
  }

  requestOnce(seller: UserActor | null, key: string = newId()) {
    type Answer = Payout & { code?: string; details?: { blockedBy?: string } }
    const headers = { 'idempotency-key': key }
    return this.escrow.request<Answer>('POST', '/api/payouts', { actor: seller, headers })
  }

  /** Takes the next step of a payout at the provider, as its timer does, whatever pause it is in. The timer may be at it already. */
  async send(id: string): Promise<void> {
    await this.escrow.row('UPDATE escrow.payout SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL RETURNING 1', [
      id,
    ])
    await this.escrow.service.app.get(PayoutSendingService).send(id)
  }

  /** Takes steps of a payout until it has a status. */
  async reach(id: string, status: PayoutStatus): Promise<void> {
    await eventually(async () => {
      await this.send(id)
      return (await this.row(id)).status === status
    })
  }

  /** Takes steps of a payout until nothing more is to be done. */
  async finish(id: string): Promise<void> {
    await eventually(async () => {
      await this.send(id)
      return (await this.row(id)).due_at === null
    })
  }

  row(id: string) {
    return this.escrow.row<{ status: PayoutStatus; provider_payout_id: string; due_at: Date | null }>(
      'SELECT status, provider_payout_id, due_at FROM escrow.payout WHERE id = $1',
      [id],
    )
  }

  /** The clock of the seller's daily payout comes round. */
  async passDay({ id }: UserActor): Promise<void> {
    await this.escrow.row('UPDATE escrow.payout_account SET next_payout_at = now() WHERE user_id = $1 RETURNING 1', [
      id,
    ])
    await this.escrow.service.app.get(PayoutsService).payOutDaily(id)
  }

  /** The bank takes a payout, or returns it. The escrow is not told yet. */
  async atBank(id: string, step: 'settle' | 'fail', code?: string): Promise<void> {
    const { provider_payout_id: provider } = await this.row(id)
    await this.escrow.dependencies.control(`/payouts/${provider}/${step}`, code ? { code } : {})
  }

  /** Sends the sandbox's events of some kinds, in the order in which they happened unless they are to come in another one. */
  async sendEvents(prefix: string, { reversed = false } = {}): Promise<void> {
    const events = this.eventsOf(prefix)
    for (const event of reversed ? events.reverse() : events) await this.deliver(event)
  }

  private async deliver(event: { id: string; type: string }): Promise<void> {
    const { status } = await this.escrow.webhook(event)
    if (status !== 200) throw new Error(`${event.type} was answered with ${status}`)
  }

  private eventsOf(prefix: string) {
    return [...this.escrow.sandbox.context.state.events.oldestFirst()]
      .filter(({ type }) => type.startsWith(prefix))
      .map(({ id, type, account, objectJson }) => ({
        id,
        object: 'event',
        type,
        livemode: false,
        ...(account !== undefined && { account }),
        data: { object: JSON.parse(objectJson) as { id: string } },
      }))
  }
}
