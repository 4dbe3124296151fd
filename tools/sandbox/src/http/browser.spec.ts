import { PRODUCT_ORIGIN, PUBLISHABLE_KEY, type Running, SECRET_KEY, startSandbox } from '../../test/fixture.js'

let running: Running
beforeAll(async () => {
  running = await startSandbox()
})
afterAll(() => running.close())

async function fromBrowser(
  method: 'GET' | 'POST',
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; answer: Response }> {
  const form = new URLSearchParams(fields)
  const answer = await fetch(`${running.origin}/v1${path}${method === 'GET' ? `?${form}` : ''}`, {
    method,
    redirect: 'manual',
    headers: { origin: PRODUCT_ORIGIN, ...headers },
    ...(method === 'POST' ? { body: form } : {}),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, answer }
}

const openIntent = () =>
  running.stripe.paymentIntents.create({
    amount: 2_500,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
    metadata: { secretOfTheMerchant: 'yes' },
  })

const CARD = {
  key: PUBLISHABLE_KEY,
  type: 'card',
  'card[number]': '4242424242424242',
  'card[exp_month]': '12',
  'card[exp_year]': '40',
  'card[cvc]': '123',
  'billing_details[name]': 'Ana Buyer',
}

describe('a browser with the publishable key', () => {
  it('makes a payment method, then confirms the intent whose client secret it knows', async () => {
    const intent = await openIntent()
    const method = await fromBrowser('POST', '/payment_methods', CARD)
    expect(method.status).toBe(200)
    expect(method.answer.headers.get('access-control-allow-origin')).toBe(PRODUCT_ORIGIN)
    expect(method.answer.headers.get('x-holdfast-sandbox')).toBe('1')

    const confirmed = await fromBrowser('POST', `/payment_intents/${intent.id}/confirm`, {
      key: PUBLISHABLE_KEY,
      client_secret: intent.client_secret ?? '',
      payment_method: String(method.body.id),
      return_url: `${PRODUCT_ORIGIN}/send-funds/1`,
    })

    expect(confirmed.body).toMatchObject({ status: 'succeeded', livemode: false })
    expect(confirmed.body).not.toHaveProperty('metadata')
    expect(confirmed.body).not.toHaveProperty('latest_charge')
  })

  it('also pays in one step, with the card inside the confirmation', async () => {
    const intent = await openIntent()
    const card = Object.fromEntries(
      Object.entries(CARD).flatMap(([name, value]) =>
        name === 'key' ? [] : [[`payment_method_data[${name.replace('[', '][').replace(/\]?$/, ']')}`, value]],
      ),
    )
    const confirmed = await fromBrowser('POST', `/payment_intents/${intent.id}/confirm`, {
      key: PUBLISHABLE_KEY,
      client_secret: intent.client_secret ?? '',
      return_url: PRODUCT_ORIGIN,
      ...card,
    })
    expect(confirmed.body).toMatchObject({ status: 'succeeded' })
  })

  it.each([
    ['without the client secret', {}, 400, 'parameter_missing'],
    ['with another client secret', { client_secret: 'pi_x_secret_y' }, 404, 'resource_missing'],
  ])('sees no intent %s', async (_how, secret, status, code) => {
    const intent = await openIntent()
    const answer = await fromBrowser('GET', `/payment_intents/${intent.id}`, { key: PUBLISHABLE_KEY, ...secret })
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ error: { code } })
  })

  it.each([
    ['GET', '/payment_intents'],
    ['POST', '/payment_intents'],
    ['POST', '/refunds'],
    ['GET', '/charges'],
    ['GET', '/events'],
    ['GET', '/balance_transactions'],
  ] as const)('may not %s %s', async (method, path) => {
    const answer = await fromBrowser(method, path, { key: PUBLISHABLE_KEY })
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ error: { code: 'secret_key_required' } })
  })
})

describe('origins', () => {
  it('answers the preflight of the product’s pages', async () => {
    const answer = await fetch(`${running.origin}/v1/payment_methods`, {
      method: 'OPTIONS',
      headers: { origin: PRODUCT_ORIGIN, 'access-control-request-method': 'POST' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(PRODUCT_ORIGIN)
    expect(answer.headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  it.each(['https://evil.example', 'null', `${PRODUCT_ORIGIN}.evil.example`])('turns %s away', async origin => {
    const before = running.sandbox.context.state.methods.size
    const answer = await fromBrowser('POST', '/payment_methods', CARD, { origin })
    expect(answer.status).toBe(403)
    expect(answer.answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(running.sandbox.context.state.methods.size).toBe(before)
  })

  it('lets no other site move money through a visitor’s browser', async () => {
    const intent = await openIntent()
    const answer = await fetch(`${running.origin}/sandbox/payments/${intent.id}/settle`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams(),
    })
    expect(answer.status).toBe(403)
  })
})

describe('a request that is not a call of the provider’s API', () => {
  it.each([
    ['an unknown address', '/nothing', { headers: { authorization: `Bearer ${SECRET_KEY}` } }, 404],
    ['no key', '/payment_intents', {}, 401],
    [
      'a JSON body',
      '/payment_intents',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/json' },
        body: '{"amount":1000}',
      },
      415,
    ],
    [
      'a body that is too large',
      '/payment_intents',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET_KEY}` },
        body: new URLSearchParams({ description: 'x'.repeat(70_000) }),
      },
      413,
    ],
    [
      'parameters that clash',
      '/payment_intents',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET_KEY}` },
        body: new URLSearchParams('amount=1&amount[a]=2'),
      },
      400,
    ],
    [
      'a name that reaches for the prototype',
      '/payment_intents',
      {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET_KEY}` },
        body: new URLSearchParams('metadata[__proto__]=1'),
      },
      400,
    ],
  ])('%s is refused in the provider’s form', async (_what, path, init, status) => {
    const answer = await fetch(`${running.origin}/v1${path}`, init)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })
})
