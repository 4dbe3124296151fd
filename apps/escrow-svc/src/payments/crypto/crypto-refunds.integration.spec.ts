import { newId } from '@holdfast/kernel/ids'
import { cryptoPayers, TOTAL, WALLET } from '../../../test/crypto-payers.js'
import { RunningEscrow } from '../../../test/running-escrow.js'
import { PaymentEntity, RefundEntity } from '../payment.entity.js'
import { RefundsService } from '../refunds.service.js'
import { CryptoProcessor } from './crypto-processor.js'
import { CryptoRefundsService } from './crypto-refunds.service.js'

describe('refunding cryptocurrency', () => {
  let escrow: RunningEscrow
  const {
    begun,
    tell,
    ask,
    paymentOf,
    balanceOf,
    refundOf,
    sendRefund,
    withdrawals,
    paid,
    refunded,
    query,
    keptForOperators,
  } = cryptoPayers(() => escrow)

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    await escrow.dependencies.control('/settings', { refunds: 'by_hand' })
  })
  afterEach(async () => {
    jest.restoreAllMocks()
    await escrow.dependencies.control('/faults', {}, 'DELETE')
  })
  afterAll(async () => {
    const violations = await escrow.violations()
    await escrow.stop()
    expect(violations).toEqual([])
  })

  it('refunds to the wallet, once, also when its confirmation comes twice', async () => {
    const deal = await begun()
    await paid(deal)
    await escrow.act(deal.id, deal.seller, 'refund')
    await sendRefund(deal)
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'sent', amount: TOTAL })
    const [withdrawal] = withdrawals().reverse()
    expect(withdrawals().filter(({ orderId }) => orderId === withdrawal?.orderId)).toHaveLength(1)
    await escrow.dependencies.control(`/withdrawals/${withdrawal!.id}/settle`)
    await tell()
    expect(await refundOf(deal)).toMatchObject({ status: 'confirmed' })
    expect(await balanceOf(deal, 'crypto_clearing')).toBe(0)
    expect(await escrow.status(deal.id)).toBe('cancelled')
  })

  it('sends a refund again that the processor has refused', async () => {
    const deal = await begun()
    await paid(deal)
    await escrow.act(deal.id, deal.seller, 'refund')
    await escrow.dependencies.control('/faults', { kind: 'rate_limit', path: '/v1/withdrawals', method: 'POST' })
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'due', last_error: expect.stringContaining('429') })
    await escrow.database.admin.query('UPDATE escrow.refund SET due_at = now() WHERE transaction_id = $1', [deal.id])
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'sent' })
  })

  it('never sends a refund twice whose answer was lost: the event reports it', async () => {
    const deal = await begun()
    await paid(deal)
    await escrow.act(deal.id, deal.seller, 'refund')
    const before = withdrawals().length
    await escrow.dependencies.control('/faults', {
      kind: 'lose_answer',
      path: '/v1/withdrawals',
      method: 'POST',
      times: 2,
    })
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({
      status: 'failed',
      last_error: expect.stringContaining('did not answer'),
    })
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    expect(withdrawals()).toHaveLength(before + 1)
    // A replica that ended before it knew the answer, and sends what is due: nothing is asked for again.
    await escrow.database.admin.query(
      `UPDATE escrow.refund SET status = 'due', due_at = now() WHERE transaction_id = $1`,
      [deal.id],
    )
    await sendRefund(deal)
    expect(withdrawals()).toHaveLength(before + 1)
    const [withdrawal] = withdrawals().reverse()
    await escrow.dependencies.control(`/withdrawals/${withdrawal!.id}/settle`)
    await tell({ reverse: true })
    expect(await refundOf(deal)).toMatchObject({ status: 'confirmed' })
    expect(await balanceOf(deal, 'crypto_clearing')).toBe(0)
  })

  it('asks about a refund when no event about it comes', async () => {
    const deal = await begun()
    await paid(deal)
    await escrow.act(deal.id, deal.seller, 'refund')
    await sendRefund(deal)
    const [withdrawal] = withdrawals().reverse()
    await escrow.dependencies.control(`/withdrawals/${withdrawal!.id}/settle`)
    await escrow.database.admin.query('UPDATE escrow.refund SET due_at = now() WHERE transaction_id = $1', [deal.id])
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'confirmed' })
  })

  it('sends no refund that has changed since it was read', async () => {
    const deal = await refunded()
    const refund = await escrow.dataSource.getRepository(RefundEntity).findOneByOrFail({ transactionId: deal.id })
    const payment = await escrow.dataSource.getRepository(PaymentEntity).findOneByOrFail({ id: refund.paymentId })
    const before = withdrawals().length
    const refunds = escrow.service.app.get(CryptoRefundsService)
    await query(`UPDATE escrow.refund SET send_attempt = 2 WHERE id = $1`, refund.id)
    await refunds.send(refund, payment)
    await query(`UPDATE escrow.refund SET amount_minor = amount_minor - 100 WHERE id = $1`, refund.id)
    await refunds.send({ ...refund, sendAttempt: 2 }, payment)
    expect(withdrawals()).toHaveLength(before)
    expect(await refundOf(deal)).toMatchObject({ status: 'due' })
    await query(`UPDATE escrow.refund SET amount_minor = amount_minor + 100 WHERE id = $1`, refund.id)
    await sendRefund(deal)
    expect(withdrawals()).toHaveLength(before + 1)
  })

  it('lets no operator send a refund again whose withdrawal is known', async () => {
    const deal = await refunded()
    await sendRefund(deal)
    const before = withdrawals().length
    const { id } = await refundOf(deal)
    await query(
      `UPDATE escrow.refund SET status = 'failed', provider_refund_id = NULL, due_at = NULL WHERE id = $1`,
      id,
    )
    const by = { actorId: newId(), reason: 'It was not answered' }
    await expect(escrow.service.app.get(RefundsService).sendAgain(id, by)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await refundOf(deal)).toMatchObject({ status: 'sent' })
    expect(withdrawals()).toHaveLength(before)
  })

  it('shows an operator a refund that was sent twice', async () => {
    const deal = await refunded()
    await escrow.dependencies.control('/faults', { kind: 'lose_answer', path: '/v1/withdrawals', method: 'POST' })
    await sendRefund(deal)
    const { id } = await refundOf(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'failed' })
    const [first] = withdrawals().reverse()
    await escrow.service.app.get(RefundsService).sendAgain(id, { actorId: newId(), reason: 'It was not found there' })
    const processor = escrow.service.app.get(CryptoProcessor)
    const withdraw = processor.withdraw.bind(processor)
    jest.spyOn(processor, 'withdraw').mockImplementationOnce(async request => {
      const sent = await withdraw(request)
      // The event of the first one overtakes the answer.
      await escrow.cryptoWebhook({ id: newId(), event: 'withdrawal.created', context: { id: first!.id } })
      return sent
    })
    await sendRefund(deal)
    const [second] = withdrawals().reverse()
    expect(second!.id).not.toBe(first!.id)
    expect(await keptForOperators('coinify.second-withdrawal')).toContain(`coinify_withdrawal_${second!.id}`)
  })

  it('takes from an event about a withdrawal only its id', async () => {
    const deal = await refunded()
    await sendRefund(deal)
    const [withdrawal] = withdrawals().reverse()
    const context = {
      ...{ id: withdrawal!.id, orderId: withdrawal!.orderId, state: 'completed', destination: { address: WALLET } },
      amounts: { baseAmount: '101.50', baseCurrency: 'USD' },
    }
    const event = { id: newId(), event: 'withdrawal.completed', context }
    expect(await escrow.cryptoWebhook(event)).toMatchObject({ status: 200 })
    expect(await refundOf(deal)).toMatchObject({ status: 'sent' })
  })

  it('sends no refund of a payment from before a restore until an operator says so, also when its money is found again', async () => {
    const deal = await begun()
    await paid(deal)
    await escrow.database.admin.query(`UPDATE escrow.payment SET refunds_wait = true WHERE method = 'crypto'`)
    await escrow.act(deal.id, deal.seller, 'refund')
    const before = withdrawals().length
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'failed', last_error: expect.stringContaining('restored') })
    expect(withdrawals()).toHaveLength(before)
    const { id } = await escrow.row<{ id: string }>('SELECT id FROM escrow.refund WHERE transaction_id = $1', [deal.id])
    await escrow.service.app.get(RefundsService).sendAgain(id, { actorId: newId(), reason: 'Not at Coinify' })
    await sendRefund(deal)
    expect(await refundOf(deal)).toMatchObject({ status: 'sent' })
    expect(withdrawals()).toHaveLength(before + 1)
    const later = await begun()
    await paid(later)
    await escrow.act(later.id, later.seller, 'refund')
    await sendRefund(later)
    expect(await refundOf(later)).toMatchObject({ status: 'sent' })
  })

  describe('after a restore that has lost a refund', () => {
    /** Sends money as the lost database had decided. @returns the id of the withdrawal */
    const withdrawn = async (paymentId: string, walletAddress = WALLET) => {
      const request = { orderId: `${newId()}:0`, paymentId, userId: newId(), walletAddress }
      const amount = { amountMinor: BigInt(TOTAL), currency: 'USD', asset: 'bitcoin' } as const
      return (await escrow.service.app.get(CryptoProcessor).withdraw({ ...request, ...amount })).id
    }
    const announce = (id: string) =>
      escrow.cryptoWebhookOnce({ id: `reconciled_${id}`, event: 'withdrawal.completed', context: { id } })

    it('books its withdrawal and ends the deal, once its network has it', async () => {
      const deal = await begun()
      await paid(deal)
      const id = await withdrawn(await paymentOf(deal))
      expect(await announce(id)).toMatchObject({ status: 503 })
      await escrow.dependencies.control(`/withdrawals/${id}/settle`)
      for (let times = 0; times < 2; times++) expect(await announce(id)).toMatchObject({ status: 200 })
      expect(await escrow.status(deal.id)).toBe('cancelled')
      expect(await refundOf(deal)).toMatchObject({ status: 'confirmed', amount: TOTAL })
      expect(await balanceOf(deal, 'crypto_clearing')).toBe(0)
    })

    it('leaves a withdrawal to an operator whose payment is lost, too, or that went to another wallet', async () => {
      const deal = await begun()
      await paid(deal)
      const others = [await withdrawn(newId()), await withdrawn(await paymentOf(deal), deal.quote.depositAddress)]
      for (const id of others) {
        await escrow.dependencies.control(`/withdrawals/${id}/settle`)
        expect(await announce(id)).toMatchObject({ status: 200 })
        expect(await keptForOperators('coinify.withdrawal.completed')).toContain(`coinify_reconciled_${id}`)
      }
      expect(await escrow.status(deal.id)).toBe('paid')
    })
  })

  it('shows an operator a refund that was ordered in the processor’s dashboard', async () => {
    const deal = await begun()
    const processor = escrow.service.app.get(CryptoProcessor)
    const getIntent = processor.getIntent.bind(processor)
    jest.spyOn(processor, 'getIntent').mockImplementation(async (...of) => ({
      ...(await getIntent(...of)),
      merchantRefundIds: ['refund-1'],
    }))
    await ask(deal)
    await ask(deal)
    expect(await keptForOperators('coinify.merchant-refund')).toEqual(['coinify_refund_refund-1'])
  })
})
