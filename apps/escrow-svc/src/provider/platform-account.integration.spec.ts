import { FOREIGN_SECRET_KEY } from '@holdfast/sandbox/http/keys'
import { startService } from '@holdfast/service-kit/lifecycle/service'
import { RunningEscrow } from '../../test/running-escrow.js'
import { SellerPayouts } from '../../test/seller-payouts.js'
import { loadEscrowConfig } from '../config.js'
import { RefundsService } from '../payments/refunds.service.js'
import { PayoutAccountsService } from '../payouts/payout-accounts.service.js'
import { PayoutSendingService } from '../payouts/payout-sending.service.js'
import { escrowService } from '../service.js'
import { PlatformAccount } from './platform-account.js'

describe('the provider’s key', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const remembered = () => escrow.row('SELECT mode, account_id FROM escrow.platform_account')
  /** Another replica on the same database, with these environment variables. */
  const replicaWith = (changes: Record<string, string>) => {
    const environment = { ...escrow.dependencies.environment(), LOG_LEVEL: 'silent', ...changes }
    return startService(escrowService(loadEscrowConfig(environment)))
  }
  const readyz = async ({ port }: { port: number }) => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
    const { checks } = (await answer.json()) as { checks: Record<string, string> }
    return { status: answer.status, account: checks['platform account'] }
  }
  /** How many requests to the provider have ended so, as the metrics say. */
  const callsOf = async (outcome: string) => {
    const text = await (await fetch(`http://127.0.0.1:${escrow.service.opsPort}/metrics`)).text()
    const count = new RegExp(`^provider_request_duration_seconds_count\\{.*outcome="${outcome}".*\\} (\\d+)$`, 'm')
    return Number(count.exec(text)?.[1] ?? 0)
  }
  const OUR_KEY = { status: 200, account: 'ok' }

  it('belongs to the account that is remembered at the first start', async () => {
    expect(await remembered()).toEqual({ mode: 'test', account_id: 'acct_holdfast' })
    expect(await readyz(escrow.service)).toEqual(OUR_KEY)
    expect(await callsOf('ok')).toBeGreaterThan(0)
  })

  describe.each([
    ['of another platform', FOREIGN_SECRET_KEY],
    ['that was revoked', 'sk_test_revoked'],
  ])('%s', (_, key) => {
    it('concludes nothing about sellers, payouts and refunds', async () => {
      const seller = await payouts.seller()
      await payouts.sell(seller)
      const { id: payoutId } = (await payouts.request(seller)).body
      await payouts.reach(payoutId, 'in_transit')
      const refunded = await escrow.paidAtProvider()
      const account = () =>
        escrow.row<{ provider_account_id: string; status: string }>(
          'SELECT status, provider_account_id FROM escrow.payout_account WHERE user_id = $1',
          [seller.id],
        )
      const payout = () =>
        escrow.row('SELECT status, failure, transfer_id FROM escrow.payout WHERE id = $1', [payoutId])
      const before = [await account(), await payout()]
      const wrong = await replicaWith({ STRIPE_SECRET_KEY: key })
      try {
        const { app } = wrong
        const asking = app.get(PayoutAccountsService).refreshAccount((await account()).provider_account_id)
        await expect(asking).rejects.toMatchObject({ code: 'PAYMENT_PROVIDER_UNAVAILABLE' })
        await escrow.row('UPDATE escrow.payout SET due_at = now() WHERE id = $1 RETURNING 1', [payoutId])
        await app.get(PayoutSendingService).send(payoutId)
        await escrow.act(refunded.id, refunded.seller, 'refund')
        const refund = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [
          refunded.id,
        ])
        await app.get(RefundsService).send(refund.id)
        expect([await account(), await payout()]).toEqual(before)
        const { status } = await escrow.row<{ status: string }>('SELECT status FROM escrow.refund WHERE id = $1', [
          refund.id,
        ])
        expect(['due', 'sent', 'confirmed']).toContain(status)
      } finally {
        await wrong.close()
      }
      expect(await escrow.violations()).toEqual([])
    })
  })

  it('of another platform keeps the process from being ready, and is named in the metrics', async () => {
    const wrong = await replicaWith({ STRIPE_SECRET_KEY: FOREIGN_SECRET_KEY })
    try {
      expect(await readyz(wrong)).toEqual({ status: 503, account: 'failed' })
      const metrics = await (await fetch(`http://127.0.0.1:${wrong.opsPort}/metrics`)).text()
      expect(metrics).toMatch(/^escrow_platform_account_ok\S* 0$/m)
    } finally {
      await wrong.close()
    }
    expect(await remembered()).toEqual({ mode: 'test', account_id: 'acct_holdfast' })
  })

  it('of another account is taken when an operator names that account', async () => {
    const moved = await replicaWith({ STRIPE_SECRET_KEY: FOREIGN_SECRET_KEY, STRIPE_ACCOUNT: 'acct_anotherplatform' })
    try {
      expect(await readyz(moved)).toEqual(OUR_KEY)
      expect(await remembered()).toEqual({ mode: 'test', account_id: 'acct_anotherplatform' })
    } finally {
      await moved.close()
    }
    const back = await replicaWith({ STRIPE_ACCOUNT: 'acct_holdfast' })
    await back.close()
    expect(await remembered()).toEqual({ mode: 'test', account_id: 'acct_holdfast' })
  })

  it('is asked about again by the next call when the provider gave no answer at the start', async () => {
    await escrow.dependencies.control('/faults', { kind: 'error', method: 'GET', path: '/v1/account', times: 1 })
    const late = await replicaWith({})
    try {
      expect(await readyz(late)).toEqual(OUR_KEY)
      const { client } = late.app.get(PlatformAccount, { strict: false })
      expect(await client.accounts.retrieve(null)).toMatchObject({ id: 'acct_holdfast' })
    } finally {
      await late.close()
    }
  })
})
