import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { PublicUser } from '@holdfast/contracts/users'
import { request } from 'undici'
import { aListing, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const INDEX = '<!doctype html><title>Holdfast</title>'
const SCRIPT = 'console.log("the web app")'

describe('the web app', () => {
  const gateway = new RunningGateway()
  const dist = mkdtempSync(path.join(tmpdir(), 'web-dist-'))
  const asPage = { headers: { accept: 'text/html,*/*;q=0.8' } }

  beforeAll(async () => {
    mkdirSync(path.join(dist, 'assets'))
    writeFileSync(path.join(dist, 'index.html'), INDEX)
    mkdirSync(path.join(dist, '.vite'))
    writeFileSync(path.join(dist, '.vite/manifest.json'), '{}')
    writeFileSync(path.join(dist, 'favicon.svg'), '<svg/>')
    writeFileSync(path.join(dist, 'assets/index-abc123.js'), SCRIPT)
    writeFileSync(path.join(dist, 'assets/index-abc123.js.br'), brotliCompressSync(SCRIPT))
    await gateway.start({ WEB_DIST: dist, STRIPE_PUBLIC_URL: 'http://localhost:21799' })
    const listing = aListing(PublicUser.parse(aPerson('Ben')))
    gateway.services.on('listing-svc', 'GET', '/api/listings/7', () => listing)
  })
  afterAll(async () => {
    await gateway.stop()
    rmSync(dist, { recursive: true })
  })

  it.each([
    ['/', 200],
    ['/listing/7', 200],
    ['/transaction/7?tab=chat', 200],
    ['/apiary', 404],
  ])('is sent for %s with %i, and must be revalidated each time', async (url, status) => {
    const page = await gateway.ask('GET', url, asPage)
    expect(page.status).toBe(status)
    expect(await page.text()).toMatch(/^<!doctype html><title data-page-head>[^<]+<\/title>/)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('cache-control')).toBe('no-cache')
  })

  it('takes the form that Apple posts from its site, and leads to the page that finishes the sign-in', async () => {
    const post = (body: string, type = 'application/x-www-form-urlencoded') =>
      fetch(`${gateway.origin}/auth/callback`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': type, origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' },
        body,
      })
    const user = JSON.stringify({ name: { firstName: 'Zoë' } })
    const taken = await post(`${new URLSearchParams({ state: 's&1', code: 'c', user })}&id_token=t&next=//evil.example`)
    expect(taken.status).toBe(303)
    const to = new URL(taken.headers.get('location')!, gateway.origin)
    expect(`${to.origin}${to.pathname}`).toBe(`${gateway.origin}/auth/callback`)
    expect(Object.fromEntries(to.searchParams)).toEqual({ code: 'c', state: 's&1', user })
    expect((await post(`code=${'x'.repeat(20_000)}`)).status).toBe(413)
    expect((await post('{}', 'text/plain')).status).toBe(415)
  })

  it('allows browsers to keep hashed files permanently, and makes them revalidate others', async () => {
    const script = await gateway.ask('GET', '/assets/index-abc123.js')
    expect(await script.text()).toBe(SCRIPT)
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const icon = await gateway.ask('GET', '/favicon.svg')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
    // fetch cannot be used, because it adds cache-control: no-cache.
    const again = await request(`${gateway.origin}/favicon.svg`, {
      headers: { 'if-none-match': icon.headers.get('etag')! },
    })
    await again.body.dump()
    expect(again.statusCode).toBe(304)
  })

  it('sends the compressed copy of a file to clients that accept it', async () => {
    const script = await gateway.ask('GET', '/assets/index-abc123.js', { headers: { 'accept-encoding': 'br' } })
    expect(script.headers.get('content-encoding')).toBe('br')
    expect(script.headers.get('content-type')).toContain('javascript')
    expect(await script.text()).toBe(SCRIPT)
  })

  it('does not send the manifest of the build', async () => {
    expect(await gateway.codeOf('GET', '/.vite/manifest.json')).toEqual([404, 'NOT_FOUND'])
  })

  it('answers 404 in JSON for a missing file, below /api, and for a path that leaves the folder', async () => {
    expect(await gateway.codeOf('GET', '/assets/index-gone.js')).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('GET', '/api/nothing', asPage)).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('GET', '/api', asPage)).toEqual([404, 'NOT_FOUND'])
    expect(await gateway.codeOf('PUT', '/api/auth/user', asPage)).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(await gateway.codeOf('POST', '/api/nothing', asPage)).toEqual([404, 'NOT_FOUND'])
    const answer = await gateway.ask('GET', '/..%2f..%2fetc/passwd')
    expect(answer.status).toBe(404)
  })

  it('keeps answers of the API out of shared caches, also when the path is percent-encoded', async () => {
    for (const path of ['/api/auth/user', '/%61pi/auth/user']) {
      const { headers } = await gateway.ask('GET', path, asPage)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  it('names the allowed methods when a page asks for a write with GET', async () => {
    const answer = await gateway.ask('GET', '/api/transactions/7/accept', asPage)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('allows pages only their own scripts, and the payment provider’s frame', async () => {
    const { headers } = await gateway.ask('GET', '/', asPage)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self' http://localhost:21799;")
    expect(policy).toContain('frame-src http://localhost:21799;')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('stripe.com')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  it('includes the API’s description as OpenAPI and as a page', async () => {
    const api = await gateway.ask('GET', '/api/openapi.json')
    expect(((await api.json()) as { openapi: string }).openapi).toBe('3.1.1')
    const page = await gateway.ask('GET', '/api/docs', asPage)
    expect(await page.text()).toContain('<h1>Holdfast API</h1>')
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
    expect((await gateway.ask('GET', '/api/docs/style.css')).headers.get('content-type')).toContain('text/css')
  })
})
