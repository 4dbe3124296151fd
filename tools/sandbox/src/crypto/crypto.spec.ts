import { createHmac } from 'node:crypto'
import { COINIFY_KEY, COINIFY_SECRET, type Running, startSandbox, until } from '../../test/fixture.js'
import { decimalOf, newAddress, unitsIn, unitsOf } from './assets.js'
import type { renderIntent } from './render.js'

type Intent = ReturnType<typeof renderIntent>

let running: Running
let now: number

beforeEach(async () => {
  now = Date.UTC(2026, 10, 24)
  running = await startSandbox({ now: () => now })
})
afterEach(() => running.close())

async function api<T>(method: 'GET' | 'POST', path: string, body?: object, key = COINIFY_KEY) {
  const response = await fetch(`${running.origin}/v1${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as T }
}

/** A payment of 101.50 with a quote in Bitcoin. */
async function quoted(currency = 'BTC'): Promise<Intent> {
  const wanted = { amount: 101.5, currency: 'USD', orderId: 'payment-1', customerId: 'buyer-1' }
  const { body } = await api<{ id: string }>('POST', '/payment-intents', wanted)
  const quote = { currency, refundAddress: '3FZbgi29cpjq2GjdwV8eyHuJJnkLtktZc5' }
  return (await api<Intent>('POST', `/payment-intents/${body.id}/quotes`, quote)).body
}
const read = async ({ id }: Intent) => (await api<Intent>('GET', `/payment-intents/${id}`)).body
const move = async ({ id }: Intent, step: string, body?: object) => {
  expect(await running.control('POST', `/crypto/${id}/${step}`, body ?? {})).toMatchObject({ status: 200 })
}
const events = () => running.receiver.received.filter(({ path }) => path === '/coinify')

describe('the crypto processor', () => {
  it('names an amount and an address, good for 15 minutes', async () => {
    const { state, quotes } = await quoted()
    expect(state).toBe('pending')
    expect(quotes).toEqual([
      {
        id: expect.any(String),
        amount: '0.00158594',
        currency: 'BTC',
        address: expect.stringMatching(/^bc1q/),
        tag: null,
        paymentUri: expect.stringMatching(/^bitcoin:bc1q.*amount=0\.00158594$/),
        expirationTime: new Date(now + 15 * 60_000).toISOString(),
      },
    ])
  })

  it('shows a transaction before it is confirmed, tells nothing of it, and completes with its confirmations', async () => {
    const intent = await quoted()
    await move(intent, 'send')
    await move(intent, 'confirm', { blocks: 1 })
    expect(await read(intent)).toMatchObject({
      state: 'pending',
      payments: [{ amount: '0.00158594', confirmTime: null }],
    })
    expect(events()).toEqual([])
    await move(intent, 'confirm', { blocks: 1 })
    expect(await read(intent)).toMatchObject({ state: 'completed', stateReason: 'completed_exact_amount' })
    await until(() => events().length === 1)
    const [event] = events()
    expect(JSON.parse(event!.body)).toMatchObject({
      id: expect.any(String),
      event: 'payment-intent.completed',
      context: {
        id: intent.id,
        orderId: 'payment-1',
        state: 'completed',
        creditAmount: '101.50',
        creditCurrency: 'USD',
      },
    })
    const signature = createHmac('sha256', COINIFY_SECRET).update(event!.body).digest('hex')
    expect(event!.headers['x-coinify-webhook-signature']).toBe(signature)
  })

  it('sends back what is too little, what is too much, and what comes again', async () => {
    const [short, over] = [await quoted(), await quoted('ETH')]
    await move(short, 'send', { amount: '0.001' })
    await move(short, 'confirm')
    expect(await read(short)).toMatchObject({
      state: 'failed',
      stateReason: 'failed_underpaid',
      payments: [{ automaticRefund: { amount: '0.001', state: 'completed', address: expect.stringMatching(/^3FZ/) } }],
    })
    await move(over, 'send', { amount: '0.04' })
    await move(over, 'send', { amount: '0.01' })
    await move(over, 'confirm')
    expect(await read(over)).toMatchObject({
      state: 'completed',
      stateReason: 'completed_overpaid',
      payments: [{ automaticRefund: { amount: '0.00828125' } }, { automaticRefund: { amount: '0.01' } }],
    })
  })

  it('fails when the amount holds no longer, and sends back what comes later', async () => {
    const intent = await quoted()
    now += 16 * 60_000
    await until(async () => (await read(intent)).state === 'failed')
    expect(await read(intent)).toMatchObject({ stateReason: 'failed_expired', payments: [] })
    await move(intent, 'send')
    await move(intent, 'confirm')
    expect(await read(intent)).toMatchObject({
      state: 'failed',
      payments: [{ automaticRefund: { amount: '0.00158594' } }],
    })
  })

  it('waits for a transaction that was sent in time, and forgets one that its network forgets', async () => {
    const intent = await quoted()
    await move(intent, 'send')
    await move(intent, 'expire')
    expect(await read(intent)).toMatchObject({ state: 'pending' })
    await move(intent, 'reorganise')
    expect((await read(intent)).payments).toEqual([])
    await until(async () => (await read(intent)).state === 'failed')
  })

  it('sends money to a wallet, at once or when a person lets it arrive', async () => {
    await running.control('POST', '/settings', { refunds: 'by_hand' })
    const wanted = {
      orderId: 'refund-1',
      baseAmount: '30.00',
      baseCurrency: 'USD',
      finalCurrency: 'USDC',
      address: '0xabc',
      context: { paymentId: 'payment-1' },
    }
    const { status, body } = await api<{ id: string }>('POST', '/withdrawals', wanted)
    expect({ status, body }).toMatchObject({ status: 201, body: { state: 'created', amounts: { finalAmount: '30' } } })
    await running.control('POST', `/withdrawals/${body.id}/settle`)
    expect((await api('GET', `/withdrawals/${body.id}`)).body).toMatchObject({
      state: 'completed',
      context: { paymentId: 'payment-1' },
    })
    await until(() => events().length === 2)
    expect(
      events()
        .map(each => JSON.parse(each.body).event)
        .sort(),
    ).toEqual(['withdrawal.completed', 'withdrawal.created'])
  })

  it('lists payments since a time, the newest first, in pages', async () => {
    await quoted()
    now += 60_000
    const [second, third] = [await quoted(), await quoted()]
    const listed = async (page: string) => {
      const path = `/payment-intents?since=${new Date(now).toISOString()}&${page}`
      const { body } = await api<{ paymentIntents: Intent[] }>('GET', path)
      return body.paymentIntents.map(({ id }) => id)
    }
    expect(await listed('limit=2')).toEqual([third.id, second.id])
    expect(await listed('limit=1&offset=1')).toEqual([second.id])
  })

  it('refuses another key, an unknown asset and an unknown payment', async () => {
    expect((await api('GET', '/payment-intents/x', undefined, 'sandbox_other')).status).toBe(401)
    expect((await api('GET', '/payment-intents/x')).status).toBe(404)
    const { id } = await quoted()
    expect((await api('POST', `/payment-intents/${id}/quotes`, { currency: 'DOGE' })).status).toBe(400)
  })
})

describe('amounts in an asset', () => {
  it('are rounded up once, and read and written exactly', () => {
    expect(decimalOf(unitsOf(100, 'USDC').toString(), 'USDC')).toBe('1')
    expect(unitsOf(1, 'BTC')).toBe(16n)
    expect(decimalOf(unitsOf(10_150, 'ETH').toString(), 'ETH')).toBe('0.03171875')
    expect(unitsIn('0.00158594', 'BTC')).toBe(158_594n)
    expect(unitsIn('0.000000001', 'BTC')).toBeNull()
    expect(unitsIn('0', 'BTC')).toBeNull()
  })

  it('have addresses of their networks', () => {
    expect(newAddress('BTC')).toMatch(/^bc1q[a-z0-9]{38}$/)
    expect(newAddress('USDT')).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })
})
