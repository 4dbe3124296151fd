import http from 'node:http'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import { newId } from '@holdfast/kernel/ids'
import { startInMemory } from '@holdfast/sandbox/in-memory'
import { userActor } from '@holdfast/testing/signed-client'
import { Timers } from '@holdfast/timers/timers'
import pg from 'pg'
import { ProviderDaysService } from '../../apps/escrow-svc/src/payments/provider-days.service.ts'
import { ProviderFeesService } from '../../apps/escrow-svc/src/payments/provider-fees.service.ts'
import { RefundsService } from '../../apps/escrow-svc/src/payments/refunds.service.ts'
import { cryptoPayers } from '../../apps/escrow-svc/test/crypto-payers.ts'
import { Dependencies, SECRETS } from '../../apps/escrow-svc/test/dependencies.ts'
import { RunningEscrow } from '../../apps/escrow-svc/test/running-escrow.ts'
import { SellerPayouts } from '../../apps/escrow-svc/test/seller-payouts.ts'
import { command } from '../../e2e/support/runbooks.js'
import { listen } from '../dev/listen.js'
import { until } from '../dev/wait.js'
import { asScratchDatabase, blockWith, Rehearsal, ROLE_PASSWORD } from './rehearsal.js'

const DAY_MS = 86_400_000
const NOTICED = { withinMs: 60_000, everyMs: 100 }

let rehearsal
let provider
const pools = []
const gateways = []
const escrows = []

beforeAll(async () => {
  rehearsal = await Rehearsal.start()
  provider = await startInMemory(SECRETS)
})
afterAll(async () => {
  for (const escrow of escrows) await escrow.stopService()
  for (const gateway of gateways) gateway.close()
  for (const pool of pools) await pool.end()
  await provider?.sandbox.close()
  await rehearsal?.stop()
})

/** escrow-svc on one of the servers. All of them have the same provider. */
async function startEscrow(adminUrl) {
  const admin = new pg.Pool({ connectionString: adminUrl, max: 2 })
  pools.push(admin)
  const url = role => Object.assign(new URL(adminUrl), { username: role, password: ROLE_PASSWORD }).href
  const escrow = await RunningEscrow.on(
    new Dependencies(asScratchDatabase({ admin, url, environment: {} }), provider.sandbox, provider.origin),
  )
  escrows.push(escrow)
  return escrow
}

/** The address of the product. In place of the gateway, which signs the calls that it forwards. */
async function addressOf(escrow) {
  const gateway = http.createServer(async (request, response) => {
    const signatures = Object.values(SIGNATURE_HEADERS).filter(name => request.headers[name])
    const headers = Object.fromEntries(signatures.map(name => [name, request.headers[name]]))
    const { method = '', url = '' } = request
    const { status } = await escrow.request(method, url, { body: await text(request), headers })
    response.writeHead(status, { connection: 'close' }).end()
  })
  gateways.push(gateway)
  return `http://127.0.0.1:${await listen(gateway)}`
}

describe('a restore to a time after which the provider has moved money', () => {
  // The deals and payouts of the test, and what the provider has.
  let deals
  let payouts
  let inCrypto
  let moment
  let state
  // The restored database, its escrow-svc, and the command that reconciles it.
  let url
  let after
  let reconcile
  let output
  // The deals that are paid in cryptocurrency, in the service that runs.
  let running
  const payers = cryptoPayers(() => running)

  beforeAll(() => {
    state = provider.sandbox.context.state
  })

  it('brings back the database without what was decided since', async () => {
    const before = await startEscrow(rehearsal.adminUrl)
    running = before
    // Each step of this test sends what is due itself.
    await before.service.app.get(Timers).stop()
    const sales = new SellerPayouts(before)
    const sendRefund = async ({ id }) => {
      const refund = /** @type {{ id: string }} */ (
        await before.row('SELECT id FROM escrow.refund WHERE transaction_id = $1', [id])
      )
      await before.service.app.get(RefundsService).send(refund.id)
    }
    const payOut = async id => {
      await sales.reach(id, 'in_transit')
      await sales.atBank(id, 'settle')
      await sales.sendEvents('payout.')
      await sales.reach(id, 'paid')
    }

    // Until the moment. What is decided last is not sent yet.
    const [held, charged] = [await before.paidAtProvider(), await before.paidAtProvider()]
    expect(await rehearsal.backup()).toMatchObject({ status: 0 })
    const open = await before.open()
    const unpaid = { ...open, intent: await before.beginPayment(open) }
    const split = await before.paidAtProvider()
    expect(await before.dispute(split.id, 'freeze', 7, split.buyer.id)).toMatchObject({ status: 200 })
    const ruling = { refundAmount: '40.00', cause: /** @type {const} */ ('ruling') }
    expect(await before.settleDispute(split.id, 7, ruling)).toMatchObject({ status: 200 })
    const [paidLater, paidSince] = [await sales.seller(), await sales.seller()]
    await sales.sell(paidLater)
    await sales.sell(paidSince)
    const { body: scheduled } = await sales.request(paidLater)
    const [quoted, heldInCrypto, refundDue] = [await payers.begun(), await payers.begun(), await payers.refunded()]
    await payers.paid(heldInCrypto)
    moment = await rehearsal.now()

    // After the moment the provider moves money that the restored books do not know.
    await sendRefund(split)
    await payOut(scheduled.id)
    await before.confirmCard(unpaid.intent)
    expect(await before.act(held.id, held.seller, 'refund')).toMatchObject({ status: 200 })
    await sendRefund(held)
    await before.dependencies.control(`/payments/${charged.intent}/dispute`)
    const lost = await before.paidAtProvider()
    const handedOver = await sales.sell(paidSince)
    await payOut((await sales.request(paidSince)).body.id)
    await before.dependencies.control('/platform-payouts', { amount: 700 })
    await before.dependencies.control('/platform-movements', { amount: -2500, type: 'stripe_fee' })
    await payers.paid(quoted)
    await payers.sendRefund(refundDue)
    await before.act(heldInCrypto.id, heldInCrypto.seller, 'refund')
    await payers.sendRefund(heldInCrypto)
    const lostInCrypto = await payers.begun()
    await payers.paid(lostInCrypto)
    inCrypto = { quoted, heldInCrypto, refundDue, lostIntent: await payers.intentOf(lostInCrypto) }
    deals = { held, charged, unpaid, split, lost, handedOver }
    payouts = { scheduled, paidSince }

    await before.stopService()
    await rehearsal.db.query('DROP TABLE escrow.posting')
    await rehearsal.db.query('SELECT pg_switch_wal()')
    // More than a day passes: the provider does not know its idempotency keys any more.
    state.idempotency.clear()
    expect(await rehearsal.restore(moment, 'restored')).toMatchObject({ status: 0 })
    url = (await rehearsal.startRestored('restored')).url
    await rehearsal.migrate(url)
  })

  it('is followed by the provider’s events, which are booked, and by a list of what is not here', async () => {
    const owner = new pg.Pool({ connectionString: url, max: 1 })
    pools.push(owner)
    for (const part of ['next_payout_at', 'identity.sessions']) await owner.query(blockWith('sql', part))
    after = await startEscrow(url)
    running = after
    const address = await addressOf(after)
    reconcile = () =>
      rehearsal.run(command('restore.md', 'reconcile.js'), {
        ...{ DATABASE_ADMIN_URL: url, TIME: moment, HOLDFAST: address },
        ...{ ...SECRETS, STRIPE_API_URL: provider.origin },
      })
    expect(await reconcile()).toMatchObject({
      status: 0,
      output: expect.stringMatching(/[1-9]\d* accepted, 0 refused/),
    })

    const { held, charged, unpaid, split } = deals
    const states = () =>
      after.row(
        `SELECT (SELECT status FROM escrow.transaction WHERE id = $1) AS unpaid,
           (SELECT status FROM escrow.transaction WHERE id = $2) AS held,
           (SELECT status FROM escrow.chargeback WHERE transaction_id = $3) AS charged,
           (SELECT status FROM escrow.refund WHERE transaction_id = $4) AS split,
           (SELECT status FROM escrow.payout WHERE id = $5) AS scheduled`,
        [unpaid.id, held.id, charged.id, split.id, payouts.scheduled.id],
      )
    const settled = { unpaid: 'paid', held: 'cancelled', charged: 'open', split: 'confirmed', scheduled: 'paid' }
    await until(async () => isDeepStrictEqual(await states(), settled), NOTICED)
    expect(await states()).toEqual(settled)

    output = (await reconcile()).output
    expect(output).toContain('Movements at the provider that are not in our books: 3\n')
  })

  it('has the payments in cryptocurrency and the withdrawals booked that are named, and lists what is not here', async () => {
    const { quoted, heldInCrypto, refundDue, lostIntent } = inCrypto
    const withdrawals = payers.withdrawals().map(({ id }) => id)
    const reconcileCrypto = async WITHDRAWALS => {
      const address = await addressOf(after)
      return rehearsal.run(command('restore.md', 'reconcile-crypto.js'), {
        ...{ DATABASE_ADMIN_URL: url, TIME: moment, HOLDFAST: address, WITHDRAWALS },
        ...{ ...SECRETS, COINIFY_API_URL: provider.origin },
      })
    }
    const first = await reconcileCrypto('')
    expect(first).toMatchObject({ status: 0, output: expect.stringMatching(/[1-9]\d* accepted, 0 refused/) })
    expect(first.output).toMatch(
      new RegExp(`not in our books: 1\n {2}101.50 USD: ${lostIntent}, order [0-9a-f-]+\nWithdrawals`),
    )
    const dueId = (await payers.refundOf(refundDue)).id
    expect(first.output).toContain(`begin with their ids: 1\n  ${dueId} of transaction ${refundDue.id}\n`)

    const second = await reconcileCrypto(withdrawals.join(' '))
    expect(second.output).toContain('Withdrawals that are not in our books: 0\n')
    expect(second.output).toContain('begin with their ids: 0\n')
    expect(await after.status(quoted.id)).toBe('paid')
    expect(await after.status(heldInCrypto.id)).toBe('cancelled')
    for (const deal of [heldInCrypto, refundDue]) {
      expect(await payers.refundOf(deal)).toMatchObject({ status: 'confirmed' })
      expect(await payers.balanceOf(deal, 'crypto_clearing')).toBe(0)
    }
    expect(payers.withdrawals()).toHaveLength(withdrawals.length)
  })

  it('ends with books that equal the provider’s once the rest is posted, and nothing was moved twice', async () => {
    const { lost, handedOver } = deals
    const { paidSince } = payouts
    /** The amount and the fee of the movement whose line has some text. */
    const amountsIn = text => {
      const line = output.split('\n').find(each => each.includes(text)) ?? ''
      return /(?:charge|transfer) -?([\d.]+) USD(?:, fee ([\d.]+))?/.exec(line)?.slice(1) ?? [line]
    }
    const admin = { ...userActor(), role: 'admin' }
    const post = async (debit, credit, amount) =>
      expect(
        await after.request('POST', '/api/admin/ledger/adjustments', {
          actor: admin,
          body: { debit, credit, amount, currency: 'USD', reason: 'The database was restored' },
          headers: { 'idempotency-key': newId() },
        }),
      ).toMatchObject({ status: 200, body: { state: 'done' } })

    // The payment of a deal that is gone, one of an item that has changed hands, and the payout of its seller.
    const [, lostFee] = amountsIn(lost.intent)
    await after.dependencies.control(`/payments/${lost.intent}/refund`)
    await post('provider_costs', 'provider_clearing', lostFee)
    const [paid, fee] = amountsIn(handedOver.intent)
    const account = `seller_payable:${paidSince.id}`
    await post('provider_clearing', account, '98.50')
    await post('provider_clearing', 'revenue', (Number(paid) - 98.5).toFixed(2))
    await post('provider_costs', 'provider_clearing', fee)
    const [transferred] = amountsIn(account)
    expect(transferred).toBe('197.00')
    await post(account, 'provider_clearing', transferred)
    const again = await new SellerPayouts(after).request(paidSince)
    expect(again).toMatchObject({ status: 409, body: { code: 'PAYOUT_NOT_POSSIBLE' } })
    expect(await reconcile()).toMatchObject({ status: 0 })

    // The fees of charges are read minutes after the charge.
    const fees = after.service.app.get(ProviderFeesService)
    await after.database.admin.query('UPDATE escrow.payment SET fee_due_at = now() WHERE fee_due_at IS NOT NULL')
    for (const { id } of await fees.due(0, 100)) await fees.record(id)
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    // The test may have begun yesterday.
    for (const day of [today - DAY_MS, today]) await after.service.app.get(ProviderDaysService).compare(new Date(day))
    const compared = await after.row('SELECT sum(abs(provider_minor))::int AS moved FROM escrow.provider_day')
    expect(compared.moved).toBeGreaterThan(0)
    const metrics = await (await fetch(`http://127.0.0.1:${after.service.opsPort}/metrics`)).text()
    expect(metrics).toMatch(/^ledger_provider_difference\{[^}]*currency="USD"[^}]*\} 0$/m)
    const books = await rehearsal.run(command('restore.md', 'check-books.js'), { DATABASE_ADMIN_URL: url })
    expect(books).toMatchObject({ status: 0, output: expect.stringContaining('difference 0.00') })
    expect(books.output).toContain('Faults: 0')

    const charges = [...state.charges.oldestFirst()].map(({ intentId }) => intentId)
    expect(charges).toEqual(expect.arrayContaining(Object.values(deals).map(({ intent }) => intent)))
    // With the first sale of each seller.
    expect(charges).toHaveLength(Object.keys(deals).length + 2)
    expect(new Set(charges).size).toBe(charges.length)
    const { held, split } = deals
    expect([...state.refunds.oldestFirst()].map(({ intentId, amount }) => [intentId, amount])).toEqual([
      [split.intent, 4000],
      [held.intent, held.totalMinor],
      [lost.intent, lost.totalMinor],
    ])
    expect([...state.transfers.oldestFirst()].map(({ amount }) => amount)).toEqual([9850, 19700])
    expect([...state.payouts.oldestFirst()].map(({ amount }) => amount)).toEqual([9850, 19700, 700])
  })
})
