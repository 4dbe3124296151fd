import type { CryptoPayment, CryptoReturn } from '@holdfast/contracts/payments'
import { newId } from '@holdfast/kernel/ids'
import { CryptoPaymentsService } from '../src/payments/crypto/crypto-payments.service.js'
import { RefundsService } from '../src/payments/refunds.service.js'
import type { DealUnderTest } from './deal-driver.js'
import type { RunningEscrow } from './running-escrow.js'

/** The buyer of 100.00 pays 1.5 % in cryptocurrency. */
export const TOTAL = 10_150
export const WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

interface Begun {
  readonly code?: string
  readonly details?: { fields?: Record<string, string> }
  readonly depositAddress: string
  readonly cryptoPayment: CryptoPayment
}
interface Shown {
  readonly status: string | null
  readonly method: string | null
  readonly cryptoPayment: CryptoPayment | null
  readonly cryptoReturns: readonly CryptoReturn[]
}

/** A deal whose buyer has an address to pay to. */
type BegunDeal = DealUnderTest & { readonly quote: CryptoPayment }

/**
 * The calls by which tests pay deals in cryptocurrency, and by which they read what came of it.
 *
 * @param escrow the service under test, which is started later
 */
export function cryptoPayers(escrow: () => RunningEscrow) {
  const sent = new Set<string>()

  const begin = (deal: DealUnderTest, choice: object = {}, key = newId()) =>
    escrow().request<Begun>('POST', `/internal/transactions/${deal.id}/payments`, {
      actor: deal.buyer,
      body: { method: 'crypto', cryptoAsset: 'bitcoin', walletAddress: WALLET, ...choice },
      headers: { 'idempotency-key': key },
    })

  /** A deal whose buyer has an address. */
  async function begun(choice: object = {}) {
    const deal = await escrow().open({ price: '100.00' })
    const { status, body } = await begin(deal, choice)
    if (status !== 201) throw new Error(`no payment: ${status} ${JSON.stringify(body)}`)
    return { ...deal, quote: body.cryptoPayment }
  }

  /** Sends the processor's events that were not sent yet: in order and again in reverse, as it may. */
  async function tell({ reverse = false } = {}) {
    const { cryptoEvents } = escrow().sandbox.context.state
    const news = [...cryptoEvents.oldestFirst()].filter(({ id }) => !sent.has(id))
    for (const { id } of news) sent.add(id)
    const order = reverse ? [...news].reverse() : news
    for (const { id, event, contextJson } of [...order, ...[...order].reverse()])
      expect(await escrow().cryptoWebhook({ id, event, context: JSON.parse(contextJson) })).toMatchObject({
        status: 200,
      })
  }
  const move = (deal: BegunDeal, step: string, body: object = {}) =>
    escrow().dependencies.control(`/crypto/${deal.quote.depositAddress}/${step}`, body)
  const paymentOf = async ({ id }: DealUnderTest) =>
    (
      await escrow().row<{ id: string }>(
        `SELECT id FROM escrow.payment WHERE transaction_id = $1 AND method = 'crypto' ORDER BY id DESC LIMIT 1`,
        [id],
      )
    ).id
  /** Has the processor asked, as the timer does. */
  const ask = async (deal: DealUnderTest) =>
    escrow()
      .service.app.get(CryptoPaymentsService)
      .askDue(await paymentOf(deal))
  const shown = async (deal: DealUnderTest, actor = deal.buyer) =>
    (await escrow().request<Shown>('GET', `/api/transactions/${deal.id}/payment`, { actor })).body
  const history = async ({ buyer }: DealUnderTest) =>
    (await escrow().request<object[]>('GET', '/api/payments', { actor: buyer })).body
  const exported = async ({ buyer }: DealUnderTest) =>
    (await escrow().request<{ items: object[] }>('GET', '/internal/personal-data?part=payments', { actor: buyer })).body
      .items
  const balanceOf = async ({ id }: DealUnderTest, account: string) =>
    Number(
      (
        await escrow().row<{ sum: string }>(
          `SELECT coalesce(sum(CASE WHEN p.debit LIKE $2 THEN p.amount_minor ELSE -p.amount_minor END), 0) AS sum
             FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
            WHERE e.transaction_id = $1 AND (p.credit LIKE $2) <> (p.debit LIKE $2)`,
          [id, account],
        )
      ).sum,
    )
  const refundOf = ({ id }: DealUnderTest) =>
    escrow().row<{ id: string; status: string; amount: number; last_error: string | null }>(
      'SELECT id, status, amount_minor::int AS amount, last_error FROM escrow.refund WHERE transaction_id = $1 ORDER BY id DESC LIMIT 1',
      [id],
    )
  const sendRefund = async (deal: DealUnderTest) =>
    escrow()
      .service.app.get(RefundsService)
      .send((await refundOf(deal)).id)
  const withdrawals = () => [...escrow().sandbox.context.state.withdrawals.oldestFirst()]
  /** Pays a deal. */
  async function paid(deal: BegunDeal) {
    await move(deal, 'send')
    await move(deal, 'confirm')
    await tell()
  }

  /** A deal whose refund is due. */
  async function refunded() {
    const deal = await begun()
    await paid(deal)
    await escrow().act(deal.id, deal.seller, 'refund')
    return deal
  }
  const query = (text: string, ...values: unknown[]) => escrow().database.admin.query(text, values)
  const intentOf = async (deal: DealUnderTest) =>
    (
      await escrow().row<{ intent_id: string }>('SELECT intent_id FROM escrow.payment WHERE id = $1', [
        await paymentOf(deal),
      ])
    ).intent_id
  const keptForOperators = async (kind: string) =>
    (await query('SELECT id FROM escrow.webhook_event WHERE kind = $1 AND NOT handled', kind)).rows.map(({ id }) => id)

  return {
    begin,
    begun,
    tell,
    move,
    paymentOf,
    ask,
    shown,
    history,
    exported,
    balanceOf,
    refundOf,
    sendRefund,
    withdrawals,
    paid,
    refunded,
    query,
    intentOf,
    keptForOperators,
  }
}
