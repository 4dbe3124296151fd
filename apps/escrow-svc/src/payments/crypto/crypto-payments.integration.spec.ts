import { newId } from '@holdfast/kernel/ids'
import { cryptoPayers, TOTAL, WALLET } from '../../../test/crypto-payers.js'
import { RunningEscrow } from '../../../test/running-escrow.js'
import { PaymentsRepository } from '../payments.repository.js'
import { ProviderFeesService } from '../provider-fees.service.js'
import { CryptoProcessor } from './crypto-processor.js'

const ASKED = '0.00158594'
const ETHER_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('paying in cryptocurrency', () => {
  let escrow: RunningEscrow
  const {
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
    sendRefund,
    withdrawals,
    paid,
    query,
    intentOf,
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

  it('names an amount and an address, good for 15 minutes, and gives five days', async () => {
    const deal = await begun()
    expect(deal.quote).toEqual({
      ...{ asset: 'bitcoin', assetCurrency: 'BTC', assetAmount: ASKED, walletAddress: WALLET, stage: 'waiting' },
      ...{ received: '0', total: '101.50', currency: 'USD' },
      depositAddress: expect.stringMatching(/^bc1q/),
      paymentUri: expect.stringContaining(ASKED),
      expiresAt: expect.any(String),
    })
    const minutes = (new Date(deal.quote.expiresAt).getTime() - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThanOrEqual(15)
    expect(await shown(deal)).toMatchObject({ status: 'open', method: 'crypto', cryptoPayment: deal.quote })
    expect(await shown(deal, deal.seller)).toMatchObject({ status: 'open', cryptoPayment: null, cryptoReturns: [] })
    const { days } = await escrow.row<{ days: string }>(
      `SELECT extract(epoch FROM due_at - created_at) / 86400 AS days FROM escrow.transaction WHERE id = $1`,
      [deal.id],
    )
    expect(Number(days)).toBeCloseTo(5)
  })

  it.each([
    ['ethereum', 'ETH', '0.03171875'],
    ['usdc', 'USDC', '101.5'],
    ['usdt', 'USDT', '101.5'],
  ])('takes %s, too', async (cryptoAsset, assetCurrency, assetAmount) => {
    const deal = await begun({ cryptoAsset, walletAddress: ETHER_WALLET })
    expect(deal.quote).toMatchObject({ asset: cryptoAsset, assetCurrency, assetAmount })
    await paid(deal)
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('asks for an asset and an address of its network, and names the field that is wrong', async () => {
    const deal = await escrow.open()
    const refused = async (choice: object) => (await begin(deal, choice)).body.details?.fields
    expect(await refused({ walletAddress: 'bc1qexample' })).toEqual({
      walletAddress: expect.stringContaining('Bitcoin'),
    })
    expect(await refused({ cryptoAsset: 'usdc' })).toEqual({ walletAddress: expect.stringContaining('Ethereum') })
    expect(await refused({ walletAddress: undefined })).toHaveProperty('walletAddress')
    expect(await refused({ cryptoAsset: undefined })).toHaveProperty('cryptoAsset')
    expect(await begin({ ...deal, buyer: deal.seller })).toMatchObject({ status: 403 })
    expect(await shown(deal)).toMatchObject({ status: null })
  })

  it('is secured when the transfer is seen and paid when it is confirmed, at the price of the quote', async () => {
    const deal = await begun()
    await move(deal, 'send')
    await ask(deal)
    expect(await escrow.status(deal.id)).toBe('secured')
    expect(await escrow.entries(deal.id)).toEqual([])
    expect(await shown(deal)).toMatchObject({ status: 'processing', cryptoPayment: { stage: 'seen', received: ASKED } })
    expect(await escrow.cancel(deal.id, deal.buyer)).toMatchObject({ body: { code: 'ESCROW_WRONG_STATE' } })
    await move(deal, 'confirm')
    await tell()
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await escrow.entries(deal.id)).toEqual(['charge'])
    expect(await balanceOf(deal, 'crypto_clearing')).toBe(TOTAL)
    expect(await balanceOf(deal, 'provider_clearing')).toBe(0)
    expect(await shown(deal)).toMatchObject({ status: 'succeeded', cryptoPayment: { stage: 'confirmed' } })
    const { body } = await escrow.request<{ actor: string; text: string }[]>(
      'GET',
      `/api/transactions/${deal.id}/timeline`,
      { actor: deal.seller },
    )
    expect(body.filter(({ actor }) => actor === 'provider').map(({ text }) => text)).toEqual([
      'The buyer’s transfer arrived. It is held as soon as it is final.',
      'The buyer’s payment arrived and is held.',
    ])
  })

  it('is paid without an event, because the processor is asked; and by an event alone', async () => {
    const [asked, told] = [await begun(), await begun()]
    for (const deal of [asked, told]) {
      await move(deal, 'send')
      await move(deal, 'confirm')
    }
    await ask(asked)
    expect(await escrow.status(asked.id)).toBe('paid')
    await tell({ reverse: true })
    expect(await escrow.status(told.id)).toBe('paid')
    for (const deal of [asked, told]) expect(await escrow.entries(deal.id)).toEqual(['charge'])
  })

  it('waits again when the network forgets the transfer, and is paid when it comes back', async () => {
    const deal = await begun()
    await move(deal, 'send')
    await ask(deal)
    expect(await escrow.status(deal.id)).toBe('secured')
    await move(deal, 'reorganise')
    await ask(deal)
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await shown(deal)).toMatchObject({ status: 'open', cryptoPayment: { stage: 'waiting', received: '0' } })
    await paid(deal)
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('keeps a transfer that was sent in time, however long its network takes', async () => {
    const deal = await begun()
    await move(deal, 'send')
    await move(deal, 'expire')
    await ask(deal)
    expect(await escrow.status(deal.id)).toBe('secured')
    expect(await begin(deal)).toMatchObject({ body: { code: 'ESCROW_WRONG_STATE' } })
    await move(deal, 'confirm')
    await tell()
    expect(await escrow.status(deal.id)).toBe('paid')
  })

  it('returns all of what is too little to the wallet, and takes another quote', async () => {
    const deal = await begun()
    await move(deal, 'send', { amount: '0.001' })
    await ask(deal)
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await shown(deal)).toMatchObject({ cryptoPayment: { stage: 'short', received: '0.001' } })
    await move(deal, 'confirm')
    await tell()
    expect(await shown(deal)).toMatchObject({
      status: 'failed',
      cryptoPayment: { stage: 'underpaid' },
      cryptoReturns: [{ cause: 'underpaid', assetAmount: '0.001', walletAddress: WALLET, isSent: false }],
    })
    expect(await escrow.entries(deal.id)).toEqual([])
    await move(deal, 'arrive-back')
    await ask(deal)
    expect((await shown(deal)).cryptoReturns).toMatchObject([{ isSent: true }])
    const { body } = await begin(deal)
    expect(body.depositAddress).not.toBe(deal.quote.depositAddress)
    await paid({ ...deal, quote: body.cryptoPayment })
    expect(await escrow.status(deal.id)).toBe('paid')
    // What went back is still shown.
    expect((await shown(deal)).cryptoReturns).toMatchObject([{ cause: 'underpaid' }])
  })

  it('holds the price and returns what is too much, and what comes again', async () => {
    const deal = await begun()
    await move(deal, 'send', { amount: '0.002' })
    await move(deal, 'confirm')
    await move(deal, 'send')
    await move(deal, 'confirm')
    await tell()
    await ask(deal)
    expect(await escrow.status(deal.id)).toBe('paid')
    expect(await balanceOf(deal, 'crypto_clearing')).toBe(TOTAL)
    expect((await shown(deal)).cryptoReturns).toMatchObject([
      { cause: 'again', assetAmount: ASKED },
      { cause: 'overpaid', assetAmount: '0.00041406' },
    ])
  })

  it('expires without money, returns what comes late, and never counts it', async () => {
    const deal = await begun()
    await move(deal, 'expire')
    await tell()
    expect(await shown(deal)).toMatchObject({
      status: 'failed',
      cryptoPayment: { stage: 'expired' },
      cryptoReturns: [],
    })
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await history(deal)).toEqual([])
    // The test's clock goes on: what is sent now is late.
    await new Promise(resolve => setTimeout(resolve, 5))
    await move(deal, 'send')
    await move(deal, 'confirm')
    await ask(deal)
    expect(await shown(deal)).toMatchObject({
      cryptoPayment: { stage: 'late' },
      cryptoReturns: [{ cause: 'late', assetAmount: ASKED }],
    })
    expect(await history(deal)).toMatchObject([{ kind: 'payment', state: 'failed', method: 'crypto' }])
    expect(await exported(deal)).toMatchObject([{ crypto: { asset: 'bitcoin', walletAddress: WALLET } }])
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await escrow.entries(deal.id)).toEqual([])
  })

  it('keeps an address while its amount holds, and gives another for another choice', async () => {
    const deal = await begun()
    expect((await begin(deal)).body.depositAddress).toBe(deal.quote.depositAddress)
    const other = await begin(deal, { cryptoAsset: 'ethereum', walletAddress: ETHER_WALLET })
    expect(other.body.cryptoPayment).toMatchObject({ assetCurrency: 'ETH' })
    expect(await begin(deal, {}, 'one-key-of-a-quote')).toMatchObject({ status: 201 })
    expect(await begin(deal, { walletAddress: ETHER_WALLET }, 'one-key-of-a-quote')).toMatchObject({ status: 422 })
  })

  it('returns whole what comes in time for a payment that was closed: for a card, another quote, or a cancelled deal', async () => {
    const [byCard, cancelled, late] = [await begun(), await begun(), await begun()]
    expect(await escrow.pay(byCard.id, byCard.buyer, newId())).toMatchObject({ status: 201 })
    expect(await escrow.cancel(cancelled.id, cancelled.seller)).toMatchObject({ status: 200 })
    await escrow.elapse(late.id, 6)
    await escrow.fireTimers(late.id)
    expect(await escrow.status(late.id)).toBe('cancelled')
    for (const deal of [byCard, cancelled, late]) {
      await paid(deal)
      expect(await balanceOf(deal, 'unapplied:%')).toBe(-TOTAL)
      await sendRefund(deal)
      const [withdrawal] = withdrawals().reverse()
      expect(withdrawal).toMatchObject({ amount: TOTAL, asset: 'BTC', address: WALLET, state: 'created' })
      await escrow.dependencies.control(`/withdrawals/${withdrawal!.id}/settle`)
      await tell()
      expect(await balanceOf(deal, 'unapplied:%')).toBe(0)
      expect(await balanceOf(deal, 'crypto_clearing')).toBe(0)
      expect(await escrow.status(deal.id)).toBe(deal === byCard ? 'pending' : 'cancelled')
    }
    expect((await shown(byCard)).cryptoReturns).toMatchObject([{ cause: 'closed', assetAmount: ASKED, isSent: true }])
  })

  it('waits for the network before a deal is cancelled or paid otherwise', async () => {
    const deal = await begun()
    await move(deal, 'send')
    expect(await escrow.pay(deal.id, deal.buyer, newId())).toMatchObject({ body: { code: 'PAYMENT_IN_PROGRESS' } })
    const other = await begun()
    await move(other, 'send')
    expect(await escrow.cancel(other.id, other.seller)).toMatchObject({ body: { code: 'PAYMENT_IN_PROGRESS' } })
  })

  it('books the fee of the processor: what it did not credit', async () => {
    const deal = await begun()
    await paid(deal)
    const id = await paymentOf(deal)
    await escrow.database.admin.query('UPDATE escrow.crypto_payment SET credited_minor = 10050 WHERE payment_id = $1', [
      id,
    ])
    await escrow.database.admin.query('UPDATE escrow.payment SET fee_due_at = now() WHERE id = $1', [id])
    await escrow.service.app.get(ProviderFeesService).record(id)
    expect(await balanceOf(deal, 'crypto_clearing')).toBe(10_050)
  })

  it('believes only events that the processor has signed, and what it then says itself', async () => {
    const deal = await begun()
    const intent = await escrow.row<{ intent_id: string }>(
      'SELECT intent_id FROM escrow.payment WHERE transaction_id = $1',
      [deal.id],
    )
    const claim = {
      id: newId(),
      event: 'payment-intent.completed',
      context: { id: intent.intent_id, state: 'completed' },
    }
    for (const secret of [null, 'another-secret-of-someone'])
      expect(await escrow.cryptoWebhook(claim, secret)).toMatchObject({ body: { code: 'WEBHOOK_SIGNATURE_INVALID' } })
    expect(await escrow.cryptoWebhook(claim)).toMatchObject({ status: 200 })
    expect(await escrow.status(deal.id)).toBe('pending')
    expect(await escrow.cryptoWebhook({ id: newId() })).toMatchObject({ body: { code: 'MALFORMED_REQUEST' } })
    expect(await escrow.cryptoWebhook({ ...claim, id: newId(), context: { id: newId() } })).toMatchObject({
      status: 200,
    })
  })

  it('says that the processor cannot be reached, and leaves no payment behind that blocks the next', async () => {
    const deal = await escrow.open({ price: '100.00' })
    await escrow.dependencies.control('/faults', { kind: 'error', path: '/quotes', times: 1 })
    expect(await begin(deal)).toMatchObject({ status: 503, body: { code: 'PAYMENT_PROVIDER_UNAVAILABLE' } })
    expect(await begin(deal)).toMatchObject({ status: 201 })
    const other = await escrow.open({ price: '100.00' })
    await escrow.dependencies.control('/faults', { kind: 'refuse', path: '/payment-intents', times: 1 })
    expect(await begin(other)).toMatchObject({ status: 503 })
    expect(await escrow.pay(other.id, other.buyer, newId())).toMatchObject({ status: 201 })
  })

  it('records no answer of the processor after the answer to a later question', async () => {
    const deal = await begun()
    await move(deal, 'send')
    const processor = escrow.service.app.get(CryptoProcessor)
    const getIntent = processor.getIntent.bind(processor)
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const answered = new Promise<void>(resolve => {
      jest.spyOn(processor, 'getIntent').mockImplementationOnce(async (...of) => {
        const answer = await getIntent(...of)
        resolve()
        await released
        return answer
      })
    })
    const first = ask(deal)
    await answered
    await move(deal, 'reorganise')
    await ask(deal)
    release()
    await first
    expect(await shown(deal)).toMatchObject({ status: 'open', cryptoPayment: { stage: 'waiting', received: '0' } })
    expect(await escrow.status(deal.id)).toBe('pending')
  })

  it.each([[['reorganise']], [['reorganise', 'expire']]])(
    'frees a secured deal whose payment is only open, when its money is gone: %j',
    async steps => {
      const deal = await begun()
      await move(deal, 'send')
      await ask(deal)
      await query(`UPDATE escrow.payment SET status = 'open' WHERE id = $1`, await paymentOf(deal))
      for (const step of steps) await move(deal, step)
      await ask(deal)
      expect(await escrow.status(deal.id)).toBe('pending')
    },
  )

  it.each([
    ['1.00', 'EUR'],
    ['a lot', 'USD'],
    ['101.51', 'USD'],
  ])(
    'holds the money although its credit of %s %s does not fit, and keeps that for an operator',
    async (amount, currency) => {
      const deal = await begun()
      await move(deal, 'send')
      await move(deal, 'confirm')
      const id = newId()
      const context = { id: await intentOf(deal), creditAmount: amount, creditCurrency: currency }
      const event = { id, event: 'payment-intent.completed', context }
      expect(await escrow.cryptoWebhook(event)).toMatchObject({ status: 200 })
      expect(await escrow.status(deal.id)).toBe('paid')
      expect(await keptForOperators('coinify.credit')).toContain(`coinify_${id}_credit`)
      const { credited_minor } = await escrow.row<{ credited_minor: string | null }>(
        'SELECT credited_minor FROM escrow.crypto_payment WHERE payment_id = $1',
        [await paymentOf(deal)],
      )
      expect(credited_minor).toBeNull()
    },
  )

  it('says once that money goes back, also when the service ended before it had recorded that', async () => {
    const deal = await begun()
    await move(deal, 'send', { amount: '0.001' })
    await move(deal, 'confirm')
    jest.spyOn(escrow.service.app.get(PaymentsRepository), 'markReturned').mockRejectedValueOnce(new Error('killed'))
    await ask(deal)
    expect(await shown(deal)).toMatchObject({ status: 'failed' })
    await ask(deal)
    const { rows } = await query(
      `SELECT 1 FROM escrow.timeline WHERE transaction_id = $1 AND kind = 'cryptoReturned'`,
      deal.id,
    )
    expect(rows).toHaveLength(1)
  })

  it('asks rarely about a payment that does not end, then leaves it to an operator', async () => {
    const deal = await begun()
    const id = await paymentOf(deal)
    const pauseAtAge = async (days: number) => {
      await query(
        `UPDATE escrow.crypto_payment SET created_at = now() - $2 * interval '1 day' WHERE payment_id = $1`,
        id,
        days,
      )
      await escrow.dependencies.control('/faults', { kind: 'error', path: '/payment-intents', times: 1 })
      await ask(deal)
      const { pause } = await escrow.row<{ pause: string | null }>(
        'SELECT extract(epoch FROM ask_due_at - now()) AS pause FROM escrow.crypto_payment WHERE payment_id = $1',
        [id],
      )
      return pause === null ? null : Math.round(Number(pause) / 60)
    }
    expect([await pauseAtAge(0), await pauseAtAge(2), await pauseAtAge(29), await pauseAtAge(31)]).toEqual([
      1,
      60,
      60,
      null,
    ])
    expect(await keptForOperators('coinify.endless-payment')).toContain(`coinify_endless_${await intentOf(deal)}`)
  })

  it('stops waiting for a fee that the processor does not report, and books one that it reports late', async () => {
    const deal = await begun()
    await move(deal, 'send')
    await move(deal, 'confirm')
    await ask(deal)
    const id = await paymentOf(deal)
    const recordFee = () => escrow.service.app.get(ProviderFeesService).record(id)
    const feeDue = async () =>
      (
        await escrow.row<{ due: boolean }>('SELECT fee_due_at IS NOT NULL AS due FROM escrow.payment WHERE id = $1', [
          id,
        ])
      ).due
    await query('UPDATE escrow.payment SET fee_due_at = now() WHERE id = $1', id)
    await recordFee()
    expect(await feeDue()).toBe(true)
    await query(
      `UPDATE escrow.payment SET fee_due_at = now(), updated_at = now() - interval '3 days' WHERE id = $1`,
      id,
    )
    await recordFee()
    expect(await feeDue()).toBe(false)
    expect(await keptForOperators('coinify.no-credit')).toContain(`coinify_no_credit_${await intentOf(deal)}`)
    const context = { id: await intentOf(deal), creditAmount: '100.50', creditCurrency: 'USD' }
    await escrow.cryptoWebhook({ id: newId(), event: 'payment-intent.completed', context })
    await recordFee()
    expect(await balanceOf(deal, 'crypto_clearing')).toBe(10_050)
  })
})
