import type { ActOutcome, AdminPayout } from '@holdfast/contracts/admin-escrow'
import { newId } from '@holdfast/kernel/ids'
import { PAYOUT_BLOCK_OPERATOR_TEXTS, type PayoutBlock } from '@holdfast/kernel/payouts'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { finishPayout } from '@holdfast/sandbox/connect/payouts'
import { NO_CALL } from '@holdfast/sandbox/context'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { userActor } from '@holdfast/testing/signed-client'
import { chargeback } from '@holdfast/testing/stripe-events'
import { RunningEscrow } from '../../test/running-escrow.js'
import { CLOSED_BANK, GOOD_BANK, SellerPayouts } from '../../test/seller-payouts.js'
import { PayoutsService } from '../payouts/payouts.service.js'

const admin = (): UserActor => ({ ...userActor(), role: 'admin' })

describe('a payout that came back', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const again = (id: string, actor: UserActor) =>
    escrow.request<ActOutcome & { code?: string }>('POST', `/api/admin/payouts/${id}/send-again`, {
      actor,
      body: { reason: 'The seller has a new bank account' },
    })

  /** A payout that the seller's bank returned. */
  async function returned(price: string) {
    const seller = await payouts.seller(CLOSED_BANK)
    const deal = await payouts.sell(seller, price)
    const { body: payout } = await payouts.request(seller)
    await payouts.reach(payout.id, 'in_transit')
    const { provider_payout_id: provider } = await payouts.row(payout.id)
    finishPayout(escrow.sandbox.context, NO_CALL, escrow.sandbox.context.state.payouts.get(provider)!)
    await payouts.sendEvents('payout.')
    await payouts.reach(payout.id, 'returned')
    return { seller, deal, id: payout.id }
  }
  const paidOut = async (seller: UserActor) => (await payouts.overview(seller)).body.payouts.map(({ status }) => status)

  it('is listed, and paid out again once, however many admins do it, when the seller has a bank account again', async () => {
    const { seller, id } = await returned('100.00')
    const listed = async () =>
      (await escrow.request<AdminPayout[]>('GET', '/api/admin/payouts', { actor: admin() })).body.find(
        each => each.id === id,
      )
    expect(await listed()).toMatchObject({
      status: 'returned',
      sellerId: seller.id,
      amount: '98.50',
    })
    expect(await again(id, admin())).toMatchObject({
      status: 409,
      body: { code: 'PAYOUT_NOT_POSSIBLE', message: PAYOUT_BLOCK_OPERATOR_TEXTS.account_restricted },
    })
    await payouts.addBank(seller, GOOD_BANK)
    expect(await again(id, { ...admin(), id: seller.id })).toMatchObject({ status: 403 })
    const by = admin()
    const answers = await Promise.all([again(id, by), again(id, admin()), again(id, admin())])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect(await paidOut(seller)).toEqual([expect.not.stringMatching('returned'), 'returned'])
    expect(await listed()).toBeUndefined()
    const acts = await escrow.request<object[]>('GET', `/internal/admin/acts?subject=payout:${id}`)
    expect(acts.body).toMatchObject([{ act: 'payout.send_again', after: { amount: '98.50' } }])
    expect(await escrow.violations()).toEqual([])
  })

  it('is listed also when a later payout was made before it came back', async () => {
    const seller = await payouts.seller()
    await payouts.sell(seller)
    const { body: first } = await payouts.request(seller)
    await payouts.reach(first.id, 'in_transit')
    await payouts.sell(seller)
    const { body: second } = await payouts.request(seller)
    await payouts.reach(second.id, 'in_transit')
    await payouts.atBank(second.id, 'settle')
    await payouts.atBank(first.id, 'fail', 'account_closed')
    await payouts.sendEvents('payout.')
    await payouts.reach(first.id, 'returned')
    const { body: open } = await escrow.request<AdminPayout[]>('GET', '/api/admin/payouts', { actor: admin() })
    expect(open.filter(({ sellerId }) => sellerId === seller.id)).toMatchObject([{ id: first.id, status: 'returned' }])
    await payouts.addBank(seller, GOOD_BANK)
    expect(await again(first.id, admin())).toMatchObject({ status: 200, body: { state: 'done' } })
    expect(await paidOut(seller)).toEqual([expect.not.stringMatching('returned'), 'paid', 'returned'])
  })

  it('is listed before more payouts on their way than the list shows', async () => {
    const { id } = await returned('100.00')
    // Copies of it that are on their way, with ids of their own.
    await escrow.database.admin.query(
      `INSERT INTO escrow.payout SELECT (jsonb_populate_record(p, jsonb_build_object('id', copy, 'status', 'in_transit', 'failure', null,
         'failed_at', null, 'transfer_id', copy, 'reversed_at', null, 'provider_payout_id', copy, 'updated_at', now()))).*
       FROM escrow.payout p, unnest($2::uuid[]) copy WHERE p.id = $1`,
      [id, Array.from({ length: MAX_PAGE_SIZE }, () => newId())],
    )
    const { body: open } = await escrow.request<AdminPayout[]>('GET', '/api/admin/payouts', { actor: admin() })
    await escrow.database.admin.query('DELETE FROM escrow.payout WHERE transfer_id = id::text')
    expect(open).toHaveLength(MAX_PAGE_SIZE)
    expect(open.map(payout => payout.id)).toContain(id)
  })

  it('is refused when the balance has grown since it decided whether a second admin is needed', async () => {
    const { seller, id } = await returned('100.00')
    await payouts.addBank(seller, GOOD_BANK)
    const service = escrow.service.app.get(PayoutsService)
    const payOutAll = service.payOutAll.bind(service)
    const raced = jest.spyOn(service, 'payOutAll').mockImplementationOnce(async (...given) => {
      // A release does not wait for the seller's row.
      await payouts.sell(seller, '600.00')
      return payOutAll(...given)
    })
    expect(await again(id, admin())).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    raced.mockRestore()
    expect(await paidOut(seller)).toEqual(['returned'])
    expect((await again(id, admin())).body.state).toBe('waiting')
    expect(await escrow.violations()).toEqual([])
  })

  it('is not paid out again while a bank decides about its sale', async () => {
    const { seller, deal, id } = await returned('100.00')
    await payouts.addBank(seller, GOOD_BANK)
    await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'created'))
    expect(await again(id, admin())).toMatchObject({
      status: 409,
      body: { code: 'PAYOUT_NOT_POSSIBLE', message: PAYOUT_BLOCK_OPERATOR_TEXTS.bank_decides },
    })
    await escrow.webhook(chargeback(deal.intent, deal.totalMinor, 'won'))
    expect(await again(id, admin())).toMatchObject({ status: 200, body: { state: 'done' } })
    expect(await escrow.violations()).toEqual([])
  })

  it('above the amount is refused while the account is stopped, when it is asked for and when it is approved', async () => {
    const { seller, id } = await returned('600.00')
    const refusal = (blockedBy: PayoutBlock) => ({
      status: 409,
      body: { code: 'PAYOUT_NOT_POSSIBLE', message: PAYOUT_BLOCK_OPERATOR_TEXTS[blockedBy] },
    })
    expect(await again(id, admin())).toMatchObject(refusal('account_restricted'))
    const account = (change: string) =>
      escrow.database.admin.query(`UPDATE escrow.payout_account SET ${change} WHERE user_id = $1`, [seller.id])
    await payouts.addBank(seller, GOOD_BANK)
    const asker = admin()
    const { approvalId } = (await again(id, asker)).body
    await account('is_verified = false')
    const second = admin()
    const body = { decision: 'approve', reason: 'I called the bank', approvers: [asker.id, second.id] }
    const approve = () => escrow.request('POST', `/internal/admin/approvals/${approvalId}`, { actor: second, body })
    expect(await approve()).toMatchObject(refusal('not_verified'))
    await account(`is_verified = true, status = 'none', provider_account_id = NULL`)
    expect(await approve()).toMatchObject(refusal('no_account'))
    expect(await paidOut(seller)).toEqual(['returned'])
  })

  it('waits for a second admin above the amount', async () => {
    const { seller, id } = await returned('600.00')
    await payouts.addBank(seller, GOOD_BANK)
    const asker = admin()
    const { body } = await again(id, asker)
    expect(body.state).toBe('waiting')
    expect(await paidOut(seller)).toEqual(['returned'])
    const second = admin()
    const decision = { decision: 'approve', reason: 'I called the bank', approvers: [asker.id, second.id] }
    const path = `/internal/admin/approvals/${body.approvalId}`
    expect(await escrow.request('POST', path, { actor: second, body: decision })).toMatchObject({ status: 200 })
    expect(await paidOut(seller)).toHaveLength(2)
    expect(await escrow.violations()).toEqual([])
  })
})
