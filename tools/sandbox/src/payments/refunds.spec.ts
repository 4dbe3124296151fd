import { type Running, refusal, startSandbox, until } from '../../test/fixture.js'

const HOUR_MS = 3_600_000

let running: Running
let now = Date.now()
beforeAll(async () => {
  running = await startSandbox({ now: () => now })
})
afterAll(() => running.close())

const pay = async (method = 'pm_card_visa', amount = 10_000) =>
  running.stripe.paymentIntents.create({
    amount,
    currency: 'usd',
    payment_method_types: ['card'],
    payment_method: method,
    confirm: true,
  })
const charge = async (intentId: string) => {
  const { data } = await running.stripe.charges.list({ payment_intent: intentId })
  return data[0]
}
const statusOf = async (id: string) => (await running.stripe.refunds.retrieve(id)).status

describe('a refund', () => {
  it('gives back a part, then the rest, and never more', async () => {
    const intent = await pay()
    const part = await running.stripe.refunds.create({
      payment_intent: intent.id,
      amount: 4_000,
      metadata: { ruling: '12' },
      expand: ['balance_transaction'],
    })
    expect(part).toMatchObject({ status: 'succeeded', amount: 4_000, balance_transaction: { amount: -4_000, fee: 0 } })
    expect(await charge(intent.id)).toMatchObject({ amount_refunded: 4_000, refunded: false })

    const tooMuch = await refusal(running.stripe.refunds.create({ payment_intent: intent.id, amount: 6_001 }))
    expect(tooMuch).toMatchObject({ statusCode: 400, param: 'amount' })
    expect(tooMuch.message).toBe('Refund amount ($60.01) is greater than unrefunded amount on charge ($60.00)')

    const rest = await running.stripe.refunds.create({ payment_intent: intent.id })
    expect(rest.amount).toBe(6_000)
    expect(await charge(intent.id)).toMatchObject({ amount_refunded: 10_000, refunded: true })
    expect(await refusal(running.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      code: 'charge_already_refunded',
    })
    const listed = await running.stripe.refunds.list({ payment_intent: intent.id })
    expect(listed.data.map(each => each.id)).toEqual([rest.id, part.id])
  })

  it('is refused for a payment that never arrived', async () => {
    const intent = await running.stripe.paymentIntents.create({ amount: 5_000, currency: 'usd' })
    expect(await refusal(running.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      statusCode: 400,
    })
    expect(await refusal(running.stripe.refunds.create({ payment_intent: 'pi_none' }))).toMatchObject({
      statusCode: 404,
    })
  })

  it('can take its time', async () => {
    const intent = await pay('pm_card_pendingRefund')
    const { id, status } = await running.stripe.refunds.create({ payment_intent: intent.id })
    expect(status).toBe('pending')
    now += HOUR_MS + 1
    await until(async () => (await statusOf(id)) === 'succeeded')
  })

  it('can come back, and then the money is the merchant’s again', async () => {
    const intent = await pay('pm_card_refundFail')
    const { id, status } = await running.stripe.refunds.create({ payment_intent: intent.id, amount: 2_000 })
    expect(status).toBe('succeeded')
    now += HOUR_MS + 1
    await until(async () => (await statusOf(id)) === 'failed')
    expect(await charge(intent.id)).toMatchObject({ amount_refunded: 0, refunded: false })
    const failed = await running.stripe.refunds.retrieve(id, { expand: ['failure_balance_transaction'] })
    expect(failed.failure_balance_transaction).toMatchObject({ amount: 2_000, type: 'refund_failure' })
  })

  it('waits until it is finished by hand when the sandbox is set so', async () => {
    await running.control('POST', '/settings', { refunds: 'by_hand' })
    const intent = await pay()
    const { id, status } = await running.stripe.refunds.create({ payment_intent: intent.id })
    await running.control('POST', '/settings', { refunds: 'at_once' })
    expect(status).toBe('pending')
    await running.control('POST', `/refunds/${id}/settle`)
    expect(await statusOf(id)).toBe('succeeded')
  })
})

describe('a dispute', () => {
  it('takes the money and a fee at once, and a lost one keeps them', async () => {
    const intent = await pay('pm_card_createDispute')
    const { data } = await running.stripe.disputes.list({ payment_intent: intent.id })
    expect(data).toMatchObject([{ status: 'needs_response', amount: 10_000 }])
    expect(data[0]?.balance_transactions).toMatchObject([{ amount: -10_000, fee: 1_500, net: -11_500 }])
    expect(await refusal(running.stripe.refunds.create({ payment_intent: intent.id }))).toMatchObject({
      code: 'charge_disputed',
    })
    await running.control('POST', `/disputes/${data[0]?.id}/close`, { outcome: 'lost' })
    expect(await running.stripe.disputes.retrieve(data[0]?.id ?? '')).toMatchObject({ status: 'lost' })
  })

  it('that is won gives both back', async () => {
    const intent = await pay()
    await running.control('POST', `/payments/${intent.id}/dispute`)
    const { data } = await running.stripe.disputes.list({ payment_intent: intent.id })
    await running.control('POST', `/disputes/${data[0]?.id}/close`, { outcome: 'won' })
    const won = await running.stripe.disputes.retrieve(data[0]?.id ?? '')
    expect(won.status).toBe('won')
    expect(won.balance_transactions.reduce((sum, each) => sum + each.net, 0)).toBe(0)
    const refund = await running.stripe.refunds.create({ payment_intent: intent.id })
    expect(refund.amount).toBe(won.amount)
  })

  it('that a bank decides again is taken after it was won, and given back after it was lost', async () => {
    const intent = await pay()
    await running.control('POST', `/payments/${intent.id}/dispute`)
    const { data } = await running.stripe.disputes.list({ payment_intent: intent.id })
    const id = data[0]?.id ?? ''
    const decidedAgain = async () => {
      await running.control('POST', `/disputes/${id}/decide-again`)
      const { status, balance_transactions: moves } = await running.stripe.disputes.retrieve(id)
      return { status, net: moves.reduce((sum, each) => sum + each.net, 0) }
    }
    await running.control('POST', `/disputes/${id}/close`, { outcome: 'won' })
    expect(await decidedAgain()).toEqual({ status: 'lost', net: -11_500 })
    expect(await decidedAgain()).toEqual({ status: 'won', net: 0 })
    const { data: events } = await running.stripe.events.list({ type: 'charge.dispute.funds_withdrawn' })
    expect(events.filter(event => (event.data.object as { id: string }).id === id)).toHaveLength(2)
  })
})
