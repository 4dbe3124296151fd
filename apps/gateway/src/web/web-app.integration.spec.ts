import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'undici'
import { RunningGateway } from '../../test/running-gateway.js'

const INDEX = '<!doctype html><title>Holdfast</title>'
const SCRIPT = 'console.log("the web app")'

describe('the web app behind the door', () => {
  const door = new RunningGateway()
  const dist = mkdtempSync(path.join(tmpdir(), 'web-dist-'))
  const asPage = { headers: { accept: 'text/html,*/*;q=0.8' } }

  beforeAll(async () => {
    mkdirSync(path.join(dist, 'assets'))
    writeFileSync(path.join(dist, 'index.html'), INDEX)
    writeFileSync(path.join(dist, 'favicon.svg'), '<svg/>')
    writeFileSync(path.join(dist, 'assets/index-abc123.js'), SCRIPT)
    writeFileSync(path.join(dist, 'assets/index-abc123.js.br'), brotliCompressSync(SCRIPT))
    await door.start({ WEB_DIST: dist, STRIPE_PUBLIC_URL: 'http://localhost:21799' })
  })
  afterAll(async () => {
    await door.stop()
    rmSync(dist, { recursive: true })
  })

  it.each(['/', '/listing/7', '/transaction/7?tab=chat', '/apiary'])(
    'opens the app at %s, fresh each time',
    async url => {
      const page = await door.ask('GET', url, asPage)
      expect([page.status, await page.text()]).toEqual([200, INDEX])
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it('lets browsers keep hashed files for good, and others only with a question', async () => {
    const script = await door.ask('GET', '/assets/index-abc123.js')
    expect(await script.text()).toBe(SCRIPT)
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const icon = await door.ask('GET', '/favicon.svg')
    expect(icon.headers.get('cache-control')).toBe('no-cache')
    // Not by fetch, which would ask caches to stay out of it.
    const again = await request(`${door.origin}/favicon.svg`, {
      headers: { 'if-none-match': icon.headers.get('etag')! },
    })
    await again.body.dump()
    expect(again.statusCode).toBe(304)
  })

  it('sends the compressed twin to whoever understands it', async () => {
    const script = await door.ask('GET', '/assets/index-abc123.js', { headers: { 'accept-encoding': 'br' } })
    expect(script.headers.get('content-encoding')).toBe('br')
    expect(script.headers.get('content-type')).toContain('javascript')
    expect(await script.text()).toBe(SCRIPT)
  })

  it('answers 404, not the app, for files that are gone, for the API, and for what leaves the folder', async () => {
    expect(await door.codeOf('GET', '/assets/index-gone.js')).toEqual([404, 'NOT_FOUND'])
    expect(await door.codeOf('GET', '/api/nothing', asPage)).toEqual([404, 'NOT_FOUND'])
    expect(await door.codeOf('GET', '/api', asPage)).toEqual([404, 'NOT_FOUND'])
    expect(await door.codeOf('PUT', '/api/auth/user', asPage)).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(await door.codeOf('POST', '/api/nothing', asPage)).toEqual([404, 'NOT_FOUND'])
    const answer = await door.ask('GET', '/..%2f..%2fetc/passwd')
    expect(answer.status).toBe(404)
  })

  it('keeps an answer of the API out of shared caches, however its path is written', async () => {
    for (const path of ['/api/auth/user', '/%61pi/auth/user']) {
      const { headers } = await door.ask('GET', path, asPage)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  it('tells a GET of the wrong method what is allowed', async () => {
    const answer = await door.ask('GET', '/api/transactions/7/accept', asPage)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('allows pages only their own scripts, and the payment provider’s frame', async () => {
    const { headers } = await door.ask('GET', '/', asPage)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self' http://localhost:21799;")
    expect(policy).toContain('frame-src http://localhost:21799;')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('stripe.com')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  it('describes the API to tools and to people', async () => {
    const api = await door.ask('GET', '/api/openapi.json')
    expect(((await api.json()) as { openapi: string }).openapi).toBe('3.1.1')
    const page = await door.ask('GET', '/api/docs', asPage)
    expect(await page.text()).toContain('<h1>Holdfast API</h1>')
    expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
    expect((await door.ask('GET', '/api/docs/style.css')).headers.get('content-type')).toContain('text/css')
  })
})
