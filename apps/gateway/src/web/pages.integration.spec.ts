import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Listing } from '@holdfast/contracts/listings'
import { pageDescription } from '@holdfast/contracts/page-descriptions'
import { documentTitle, type Page, pages } from '@holdfast/contracts/pages'
import { PublicUser } from '@holdfast/contracts/users'
import { aListing, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'
import { LOOKUP_TIMEOUT_MS } from './listing-lookup.js'
import { SITEMAP_TIMEOUT_MS } from './sitemap.js'

const PUBLIC_URL = 'https://holdfast.example'
const IMAGE = `/api/images/${'a'.repeat(64)}`
const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <meta name="description" content="What the build wrote." />
    <title>What the build wrote</title>
    <script type="module" src="/assets/index-abc123.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`

const gateway = new RunningGateway()
const { services } = gateway
const dist = mkdtempSync(path.join(tmpdir(), 'web-dist-'))
const listing = aListing(PublicUser.parse(aPerson('Ben')))
const absent = { code: 'LISTING_NOT_FOUND', message: '', error: '', details: null, requestId: 'x' }

const page = (name: string, file: string, imports: readonly string[] = ['index.html']) => ({
  [`src/features/${name}.tsx`]: { file, name, isDynamicEntry: true, imports },
})
const MANIFEST = {
  'index.html': { file: 'assets/index-abc123.js', name: 'index', isEntry: true, imports: ['_shared-5.js'] },
  '_shared-5.js': { file: 'assets/shared-5.js', name: 'shared' },
  '_form-2.js': { file: 'assets/form-2.js', name: 'form', imports: ['_shared-5.js', '_form-2.js'] },
  ...page('browse-page', 'assets/browse-1.js', ['index.html', '_form-2.js']),
  ...page('dashboard-page', 'assets/dashboard-3.js'),
  ...page('auth-page', 'assets/auth-4.js'),
  ...page('admin-dead-letters-page', 'assets/letters-6.js'),
  ...page('console-frame', 'assets/console-7.js'),
}

beforeAll(async () => {
  writeFileSync(path.join(dist, 'index.html'), INDEX)
  mkdirSync(path.join(dist, '.vite'))
  writeFileSync(path.join(dist, '.vite/manifest.json'), JSON.stringify(MANIFEST))
  await gateway.start({ WEB_DIST: dist, PUBLIC_URL })
})
afterAll(async () => {
  await gateway.stop()
  rmSync(dist, { recursive: true })
})
beforeEach(() => services.clear())

/** Requests a page as a crawler or a link preview does. */
async function open(url: string, token?: string): Promise<{ status: number; html: string }> {
  // Under https the session cookie has the __Host- prefix.
  const headers = token ? { cookie: `__Host-holdfast_session=${token}` } : {}
  const answer = await gateway.ask('GET', url, { headers })
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  return { status: answer.status, html: await answer.text() }
}

const titleIn = (html: string) => /<title[^>]*>([^<]*)<\/title>/.exec(html)?.[1]
const metaIn = (html: string, name: string) =>
  new RegExp(`<meta [^>]*(?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]
const linksIn = (html: string, rel: string) =>
  [...html.matchAll(new RegExp(`<link rel="${rel}" [^>]*href="([^"]*)"`, 'g'))].map(([, href]) =>
    href!.replaceAll('&amp;', '&'),
  )
const scriptsIn = (html: string) => linksIn(html, 'modulepreload')
const readsIn = (html: string) => linksIn(html, 'preload')
const canonicalIn = (html: string) => /<link [^>]*rel="canonical" href="([^"]*)"/.exec(html)?.[1]

describe('a page', () => {
  it.each(Object.values<Page>(pages).filter(page => !page.path.includes(':')))(
    'at $path has its own title, description and address',
    async page => {
      const admin = page.access === 'admin' ? services.signIn({ role: 'admin' }).token : undefined
      const { status, html } = await open(page.path, admin)
      expect(status).toBe(200)
      expect(html).not.toContain('What the build wrote')
      expect(html).toContain('<script type="module" src="/assets/index-abc123.js"></script>')
      expect(titleIn(html)).toBe(documentTitle(page.title))
      expect(metaIn(html, 'description')).toBe(pageDescription(page).replaceAll("'", '&#39;'))
      expect(canonicalIn(html)).toBe(PUBLIC_URL + page.path)
      expect(metaIn(html, 'og:title')).toBe(documentTitle(page.title))
      expect(metaIn(html, 'robots')).toBe(page.indexed ? undefined : 'noindex')
    },
  )

  it('that needs a user has a `noindex` only for readers without a session, as search engines are', async () => {
    const { html } = await open('/dashboard', services.signIn().token)
    expect(metaIn(html, 'robots')).toBeUndefined()
  })

  it('has the same status for HEAD', async () => {
    expect((await gateway.ask('HEAD', '/browse')).status).toBe(200)
    expect((await gateway.ask('HEAD', '/nothing', { headers: { accept: 'text/html' } })).status).toBe(404)
  })

  it('is 404 at an unknown address, with HTML for a browser and JSON for other clients', async () => {
    for (const url of ['/nothing', '/browse/more', '/transaction/abc', '/listing/0', '/index.html']) {
      const page = await gateway.ask('GET', url, { headers: { accept: 'text/html,*/*' } })
      const html = await page.text()
      expect([page.status, titleIn(html), metaIn(html, 'robots')]).toEqual([
        404,
        'Page Not Found · Holdfast',
        'noindex',
      ])
      expect(await gateway.codeOf('GET', url)).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('what a page loads first', () => {
  it('is named in its HTML: its scripts, and its reads of the API', async () => {
    const { html } = await open('/browse')
    expect(scriptsIn(html)).toEqual(['/assets/browse-1.js', '/assets/form-2.js'])
    expect(readsIn(html)).toEqual(['/api/listings?sort=newest&limit=24'])
  })

  it('contains, for a browser with a session, the read of who is signed in', async () => {
    const { html } = await open('/dashboard', services.signIn().token)
    expect(scriptsIn(html)).toEqual(['/assets/dashboard-3.js'])
    expect(readsIn(html).map(address => address.split('?')[0])).toEqual([
      '/api/auth/user',
      '/api/transactions',
      '/api/transactions/summary',
      '/api/transactions',
    ])
    const deal = await open('/transaction/7', services.signIn().token)
    expect(readsIn(deal.html)).toEqual(['/api/auth/user', '/api/transactions/7'])
  })

  it('is that of the sign-in screen when a visitor opens a page that needs a user', async () => {
    const { html } = await open('/dashboard')
    expect([scriptsIn(html), readsIn(html)]).toEqual([['/assets/auth-4.js'], []])
  })

  it('leaves out reads that the query of the address may change', async () => {
    expect(readsIn((await open('/browse?q=chair')).html)).toEqual([])
    expect(readsIn((await open('/dashboard?tab=selling', services.signIn().token)).html)).toEqual(['/api/auth/user'])
  })

  it('leaves out a read that would be refused', async () => {
    services.on('listing-svc', 'GET', '/api/listings/3', (_, reply) => reply.code(404).send(absent))
    expect(readsIn((await open('/listing/3')).html)).toEqual([])
    services.on('listing-svc', 'GET', '/api/listings/3', () => listing)
    expect(readsIn((await open('/listing/3?utm_source=x')).html)).toEqual(['/api/listings/3'])
  })
})

describe('the page of a listing', () => {
  const answerWith = (changes: Partial<Listing>) =>
    services.on('listing-svc', 'GET', '/api/listings/3', () => ({ ...listing, ...changes }))

  it('has title, description, price and picture in its HTML, and the security policy of every page', async () => {
    answerWith({ images: [IMAGE] })
    const answer = await gateway.ask('GET', '/listing/3?utm_source=x')
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(titleIn(html)).toBe('A watch · Holdfast')
    expect(metaIn(html, 'description')).toBe('$120.50, Good. Ticks.')
    expect(canonicalIn(html)).toBe(`${PUBLIC_URL}/listing/3`)
    expect(metaIn(html, 'og:image')).toBe(PUBLIC_URL + IMAGE)
    expect(metaIn(html, 'product:price:amount')).toBe('120.50')
    expect(metaIn(html, 'twitter:card')).toBe('summary_large_image')
    const home = await gateway.ask('GET', '/')
    expect(answer.headers.get('content-security-policy')).toBe(home.headers.get('content-security-policy'))
  })

  it('escapes the texts of its seller', async () => {
    answerWith({ title: '</title><script>alert(1)</script>', description: '"><img src=x onerror="alert(1)">' })
    const { html } = await open('/listing/3')
    expect(titleIn(html)).toBe('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; · Holdfast')
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).not.toContain('<img')
  })

  it('contains nothing of a private listing, also for readers who may see it', async () => {
    const { token, user } = services.signIn()
    answerWith({ isPrivate: true })
    const { status, html } = await open('/listing/3', token)
    expect([status, titleIn(html), metaIn(html, 'robots')]).toEqual([200, 'Listing · Holdfast', 'noindex'])
    expect(html).not.toContain('A watch')
    expect(services.received[0]!.caller).toMatchObject({ actor: user, clientIp: '127.0.0.1' })
  })

  it('is 404 when the listing does not exist or this reader may not see it', async () => {
    services.on('listing-svc', 'GET', '/api/listings/3', (_, reply) => reply.code(404).send(absent))
    const { status, html } = await open('/listing/3')
    expect([status, titleIn(html), metaIn(html, 'robots')]).toEqual([404, 'Listing Not Found · Holdfast', 'noindex'])
    expect(html).toContain('<div id="root"></div>')
  })

  it('is 503 with the app and without the listing when listing-svc fails, is down or takes too long', async () => {
    services.on('listing-svc', 'GET', '/api/listings/3', (_, reply) => reply.code(500).send({}))
    const generic = [503, '5', 'Listing · Holdfast', 'noindex', true]
    const seen = async () => {
      const answer = await gateway.ask('GET', '/listing/3')
      const html = await answer.text()
      const runsApp = html.includes('<div id="root"></div>')
      return [answer.status, answer.headers.get('retry-after'), titleIn(html), metaIn(html, 'robots'), runsApp]
    }
    expect(await seen()).toEqual(generic)
    services.on('listing-svc', 'GET', '/api/listings/3', () => ({ id: 3 }))
    expect(await seen()).toEqual(generic)
    const bringBack = await services.kill('listing-svc')
    expect(await seen()).toEqual(generic)
    await bringBack()
    services.on('listing-svc', 'GET', '/api/listings/3', () => sleep(10 * LOOKUP_TIMEOUT_MS, listing, { ref: false }))
    const begun = performance.now()
    expect(await seen()).toEqual(generic)
    expect(performance.now() - begun).toBeLessThan(5 * LOOKUP_TIMEOUT_MS)
  })

  it('is sent without waiting when the session cannot be checked', async () => {
    answerWith({})
    services.on('identity-svc', 'POST', '/internal/sessions/verify', () =>
      sleep(10 * LOOKUP_TIMEOUT_MS, [], { ref: false }),
    )
    const begun = performance.now()
    const { status, html } = await open('/listing/3', services.signIn().token)
    expect([status, titleIn(html), metaIn(html, 'robots')]).toEqual([503, 'Listing · Holdfast', 'noindex'])
    expect(performance.now() - begun).toBeLessThan(5 * LOOKUP_TIMEOUT_MS)
  })
})

describe('the files for crawlers', () => {
  it('include robots.txt, which names the sitemap', async () => {
    const answer = await gateway.ask('GET', '/robots.txt')
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    expect(text).toContain('Disallow: /api/\n')
    expect(text).toContain('Allow: /api/images/\n')
    expect(text).toContain(`Sitemap: ${PUBLIC_URL}/sitemap.xml\n`)
  })

  it('include no sitemap.xml while listing-svc does not answer, and say so soon', async () => {
    services.on('listing-svc', 'GET', '/api/listings', () => sleep(10 * SITEMAP_TIMEOUT_MS, [], { ref: false }))
    const begun = performance.now()
    const answer = await gateway.ask('GET', '/sitemap.xml')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(performance.now() - begun).toBeLessThan(2 * SITEMAP_TIMEOUT_MS)
  })

  it('include sitemap.xml, with the public pages and the listings that every user may buy', async () => {
    services.on('listing-svc', 'GET', '/api/listings', (_, reply) => reply.code(503).send({}))
    expect(await gateway.codeOf('GET', '/sitemap.xml')).toEqual([503, 'UNAVAILABLE'])
    services.on('listing-svc', 'GET', '/api/listings', () => [listing])
    const answer = await gateway.ask('GET', '/sitemap.xml')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/xml')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
    const xml = await answer.text()
    expect(xml).toContain(`<loc>${PUBLIC_URL}/browse</loc>`)
    expect(xml).toContain(`<loc>${PUBLIC_URL}/listing/3</loc>`)
    expect(xml).not.toContain('/dashboard')
    expect(services.received.at(-1)).toMatchObject({ caller: { actor: null } })
  })
})

describe('a page of the operator’s console', () => {
  const ADMIN_PAGES = Object.values<Page>(pages).filter(({ access }) => access === 'admin')
  const asBrowser = async (url: string, token?: string) => {
    const headers = { accept: 'text/html', ...(token && { cookie: `__Host-holdfast_session=${token}` }) }
    const answer = await gateway.ask('GET', url, { headers })
    return { status: answer.status, html: await answer.text() }
  }

  it('names the scripts of the page and those of the frame around it', async () => {
    const { token } = services.signIn({ role: 'admin' })
    const { html } = await asBrowser('/admin/dead-letters', token)
    expect(scriptsIn(html)).toEqual(['/assets/letters-6.js', '/assets/console-7.js'])
  })

  it('is sent to an admin, and is not listed by search engines', async () => {
    const { token } = services.signIn({ role: 'admin' })
    for (const { path } of ADMIN_PAGES) expect((await asBrowser(path, token)).status).toBe(200)
    expect(metaIn((await asBrowser('/admin', token)).html, 'robots')).toBe('noindex')
  })

  it('is for everybody else what an address without a page is', async () => {
    const { token } = services.signIn()
    for (const asked of [undefined, token]) {
      const unknown = await asBrowser('/admin/no-such-page', asked)
      for (const { path } of ADMIN_PAGES) expect(await asBrowser(path, asked)).toEqual(unknown)
    }
  })
})
