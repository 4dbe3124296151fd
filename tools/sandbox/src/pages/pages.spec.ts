import { request } from 'node:http'
import { type Running, startSandbox } from '../../test/fixture.js'

let running: Running
beforeEach(async () => {
  running = await startSandbox()
})
afterEach(() => running.close())

const page = async () => (await fetch(running.origin)).text()
const post = (path: string, fields: Record<string, string> = {}) =>
  fetch(`${running.origin}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

describe('the page', () => {
  it('offers the next step when nothing has happened', async () => {
    const text = await page()
    expect(text).toContain('There is no payment yet.')
    expect(text).toContain('4242 4242 4242 4242')
  })

  it('settles a waiting payment with the form’s own button, without any script', async () => {
    await running.control('POST', '/settings', { cards: 'by_hand' })
    const { id } = await running.stripe.paymentIntents.create({
      amount: 123_456,
      currency: 'usd',
      payment_method_types: ['card'],
      payment_method: 'pm_card_visa',
      confirm: true,
    })
    expect(await page()).toContain(`action="/sandbox/payments/${id}/settle"`)
    const answer = await post(`/sandbox/payments/${id}/settle`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/'])
    const text = await page()
    expect(text).toContain('$1,234.56')
    expect(text).not.toContain(`action="/sandbox/payments/${id}/settle"`)
  })

  it('moves a parcel and flips a switch', async () => {
    await post('/sandbox/parcels/PARCEL1/move', { status: 'accepted' })
    await post('/sandbox/settings', { webhooksPaused: 'true' })
    const text = await page()
    expect(text).toContain('Accepted at the carrier')
    expect(text).toContain('Webhooks are paused: the product hears of nothing')
  })

  it('shows what people wrote as text', async () => {
    await running.stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      description: '<script>alert(1)</script>',
    })
    const text = await page()
    expect(text).not.toContain('<script>alert(1)')
    expect(text).toContain('&lt;script&gt;alert(1)')
  })

  it('is not sent again while nothing has changed', async () => {
    const etag = (await fetch(running.origin)).headers.get('etag') ?? ''
    const ask = () => fetch(running.origin, { headers: { 'if-none-match': etag } })
    expect((await ask()).status).toBe(304)
    await running.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    expect((await ask()).status).toBe(200)
  })

  it('runs no script but its own, in no frame of another site', async () => {
    const policy = (await fetch(running.origin)).headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('health', () => {
  it.each(['/healthz', '/readyz'])('%s is 200 and says that this is not live', async path => {
    const answer = await fetch(`${running.origin}${path}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-holdfast-sandbox')).toBe('1')
    expect(await answer.json()).toMatchObject({ status: 'ok' })
  })
})

describe('another site', () => {
  /** A request as a browser makes it: `fetch` would not let a test set another `Host`. */
  const statusFor = (method: string, path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const asked = request(`${running.origin}${path}`, { method, headers }, answer => {
        answer.resume()
        resolve(answer.statusCode)
      })
      asked.once('error', reject)
      asked.end()
    })

  it('can read and move nothing through a name of its own that resolves to this machine', async () => {
    const { port } = new URL(running.origin)
    const headers = { host: `elsewhere.example:${port}`, origin: `http://elsewhere.example:${port}` }
    expect(await statusFor('GET', '/', headers)).toBe(403)
    expect(await statusFor('GET', '/sandbox/payments', headers)).toBe(403)
    expect(await statusFor('POST', '/sandbox/webhooks/pause', headers)).toBe(403)
  })

  it('can move nothing through a form, whether or not the browser sends its origin', async () => {
    expect(await statusFor('POST', '/sandbox/webhooks/pause', { origin: 'null' })).toBe(403)
    expect(await statusFor('POST', '/sandbox/webhooks/pause', { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusFor('POST', '/sandbox/webhooks/pause', { origin: running.origin })).toBe(200)
  })
})
