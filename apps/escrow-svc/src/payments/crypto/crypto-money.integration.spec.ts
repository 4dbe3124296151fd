import { newId } from '@holdfast/kernel/ids'
import fc from 'fast-check'
import type { DealUnderTest } from '../../../test/deal-driver.js'
import { RunningEscrow } from '../../../test/running-escrow.js'
import { RefundsService } from '../refunds.service.js'
import { CryptoPaymentsService } from './crypto-payments.service.js'

/** Random runs in one execution of the test. FC_RUNS raises it for a long execution, and FC_SEED repeats one. */
const RUNS = Number(process.env.FC_RUNS ?? 15)
/** Only a test that hangs takes so long. */
const ENDS_WITHIN_MS = 900_000
const WALLET = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

/** What the buyer, the seller, the network, the processor and our timers may do, in any order. */
const MOVES = [
  'quote',
  'sendExact',
  'sendLess',
  'sendMore',
  'confirm',
  'reorganise',
  'expire',
  'tell',
  'ask',
  'payByCard',
  'cancel',
  'refund',
  'sendRefunds',
] as const
type Move = (typeof MOVES)[number]

/** Runs that are always made: a deal that is paid, and money that comes after the buyer has paid otherwise. */
const MUST_HAPPEN: readonly (readonly Move[])[] = [
  ['sendExact', 'confirm', 'tell'],
  ['payByCard', 'sendExact', 'confirm', 'tell', 'sendRefunds'],
]

let escrow: RunningEscrow
const sent = new Set<string>()

beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

const quote = (deal: DealUnderTest) =>
  escrow.request('POST', `/internal/transactions/${deal.id}/payments`, {
    actor: deal.buyer,
    body: { method: 'crypto', cryptoAsset: 'bitcoin', walletAddress: WALLET },
    headers: { 'idempotency-key': newId() },
  })

const paymentsOf = async ({ id }: DealUnderTest) =>
  (
    await escrow.database.admin.query<{ id: string; intent_id: string }>(
      `SELECT id, intent_id FROM escrow.payment WHERE transaction_id = $1 AND method = 'crypto' AND intent_id IS NOT NULL ORDER BY id DESC`,
      [id],
    )
  ).rows

/** Moves the payment that has the latest address, or an earlier one: its buyer may have written that down. */
async function atAddress(deal: DealUnderTest, step: string, body: object = {}, nth = 0): Promise<void> {
  const payments = await paymentsOf(deal)
  const payment = payments[nth % Math.max(1, payments.length)]
  if (payment) await escrow.dependencies.tryControl(`/crypto/${payment.intent_id}/${step}`, body)
}

async function tell(): Promise<void> {
  const news = [...escrow.sandbox.context.state.cryptoEvents.oldestFirst()].filter(({ id }) => !sent.has(id))
  for (const { id } of news) sent.add(id)
  for (const { id, event, contextJson } of [...news, ...news.reverse()])
    expect(await escrow.cryptoWebhook({ id, event, context: JSON.parse(contextJson) })).toMatchObject({ status: 200 })
}

async function ask(deal: DealUnderTest): Promise<void> {
  for (const { id } of await paymentsOf(deal)) await escrow.service.app.get(CryptoPaymentsService).askDue(id)
}

async function sendRefunds({ id }: DealUnderTest): Promise<void> {
  const { rows } = await escrow.database.admin.query<{ id: string }>(
    `UPDATE escrow.refund SET due_at = now() WHERE transaction_id = $1 AND status IN ('due', 'sent') RETURNING id`,
    [id],
  )
  for (const refund of rows) await escrow.service.app.get(RefundsService).send(refund.id)
}

async function make(deal: DealUnderTest, move: Move, nth: number): Promise<void> {
  switch (move) {
    case 'quote':
      return void (await quote(deal))
    case 'sendExact':
      return atAddress(deal, 'send', {}, nth)
    case 'sendLess':
      return atAddress(deal, 'send', { amount: '0.0001' }, nth)
    case 'sendMore':
      return atAddress(deal, 'send', { amount: '0.5' }, nth)
    case 'confirm':
    case 'reorganise':
    case 'expire':
      return atAddress(deal, move, {}, nth)
    case 'tell':
      return tell()
    case 'ask':
      return ask(deal)
    case 'payByCard':
      return void (await escrow.pay(deal.id, deal.buyer, newId()))
    case 'cancel':
      return void (await escrow.cancel(deal.id, deal.buyer))
    case 'refund':
      return void (await escrow.act(deal.id, deal.seller, 'refund'))
    case 'sendRefunds':
      return sendRefunds(deal)
  }
}

/** What the processor has of a deal's payments for us, in minor units: what it credited, less what it sent to wallets. */
async function atProcessor(deal: DealUnderTest): Promise<number> {
  const { cryptoIntents, withdrawals } = escrow.sandbox.context.state
  const payments = await paymentsOf(deal)
  const credited = payments
    .map(({ intent_id }) => cryptoIntents.get(intent_id))
    .filter(each => each?.state === 'completed')
  const { rows } = await escrow.database.admin.query<{ id: string }>(
    'SELECT id FROM escrow.refund WHERE transaction_id = $1',
    [deal.id],
  )
  const sentBack = [...withdrawals.oldestFirst()].filter(({ orderId }) => rows.some(({ id }) => orderId.startsWith(id)))
  const sum = (amounts: { amount: number }[]) => amounts.reduce((total, { amount }) => total + amount, 0)
  return sum(credited as { amount: number }[]) - sum(sentBack)
}

it(
  'whatever happens to payments in cryptocurrency, our books have what the processor has, to the cent',
  async () => {
    const step = fc.record({ move: fc.constantFrom(...MOVES), nth: fc.nat({ max: 2 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async steps => {
        const deal = await escrow.open({ price: '100.00' })
        expect(await quote(deal)).toMatchObject({ status: 201 })
        for (const { move, nth } of steps) await make(deal, move, nth)
        // Everything comes to rest: the network confirms, the processor tells, and what is due is sent.
        for (const [nth] of (await paymentsOf(deal)).entries()) await atAddress(deal, 'confirm', {}, nth)
        await tell()
        await ask(deal)
        await sendRefunds(deal)
        await tell()
        const { sum } = await escrow.row<{ sum: string }>(
          `SELECT coalesce(sum(CASE p.debit WHEN 'crypto_clearing' THEN p.amount_minor ELSE -p.amount_minor END), 0) AS sum
           FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
          WHERE e.transaction_id = $1 AND 'crypto_clearing' IN (p.debit, p.credit)`,
          [deal.id],
        )
        expect(Number(sum)).toBe(await atProcessor(deal))
        expect(await escrow.violations()).toEqual([])
      }),
      {
        numRuns: RUNS,
        examples: MUST_HAPPEN.map(moves => [moves.map(move => ({ move, nth: 0 }))]),
        ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }),
      },
    )
    const { kinds } = await escrow.row<{ kinds: string[] }>(
      `SELECT array_agg(DISTINCT e.kind) AS kinds FROM escrow.posting p JOIN escrow.journal_entry e ON e.id = p.entry_id
      WHERE 'crypto_clearing' IN (p.debit, p.credit)`,
      [],
    )
    expect(kinds).toEqual(expect.arrayContaining(['charge', 'stray_payment', 'stray_refund_confirmed']))
  },
  ENDS_WITHIN_MS,
)
