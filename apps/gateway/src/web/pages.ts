import { type Listing, listingRoutes } from '@holdfast/contracts/listings'
import { LISTING_NOT_FOUND_PAGE, NOT_FOUND_PAGE, type Page, pages } from '@holdfast/contracts/pages'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ingress } from '../ingress/ingress.js'
import type { ServiceCalls } from '../services/service-calls.js'
import type { Sessions } from '../sessions/sessions.js'
import { findPage } from './find-page.js'
import { lookUpListing } from './listing-lookup.js'
import { absentHead, listingHead, type PageHead, pageHead } from './page-head.js'
import { pageTemplate } from './page-template.js'
import { robotsTxt } from './robots.js'
import { SITEMAP_AGE_MS, SITEMAP_TIMEOUT_MS, Sitemap } from './sitemap.js'

export interface PageOptions {
  readonly publicUrl: string
  readonly calls: ServiceCalls
  readonly ingress: Ingress
  readonly sessions: Sessions
}

/** A page refers to the files of one build, so browsers must revalidate it each time. */
const PAGE_CACHE = 'no-cache'
/** When a client should ask again for what could not be looked up, in seconds. */
const RETRY_AFTER_SECONDS = 5
const SITEMAP_CACHE = `public, max-age=${SITEMAP_AGE_MS / 1000}`

/**
 * Answers every address that is neither a file nor below /api/ with the web app's HTML and the head of that page. Search
 * engines and link previews run no script, so they need the head. An unknown address is 404: a browser gets the HTML, which
 * shows the app's 404 page, and other clients get an error in JSON.
 */
export function servePages(fastify: FastifyInstance, indexHtml: string, options: PageOptions): void {
  const { publicUrl, calls, ingress, sessions } = options
  const render = pageTemplate(indexHtml)
  // Pages that are the same for every reader are made once.
  const ready = (head: PageHead) => ({ visitor: render(head, 'visitor'), user: render(head, 'user') })
  const readyPages = new Map(Object.values<Page>(pages).map(page => [page, ready(pageHead(page, publicUrl))]))
  const notFound = ready(absentHead(NOT_FOUND_PAGE))
  const readerOf = (request: FastifyRequest) => (sessions.hashOf(request) === null ? 'visitor' : 'user')

  const sendListing = async (id: number, request: FastifyRequest, reply: FastifyReply) => {
    const found = await lookUpListing(id, calls, () => ingress.identify(request, listingRoutes.getListing))
    // A search engine keeps what it knows of the page and asks again. For a person the app runs and loads the listing itself.
    if (found === 'unknown') reply.header('retry-after', RETRY_AFTER_SECONDS)
    const status = found === 'absent' ? 404 : found === 'unknown' ? 503 : 200
    return sendHtml(reply, status, render(listingPageHead(found, publicUrl), readerOf(request)))
  }

  fastify.get('/*', (request, reply) => {
    const pathname = request.url.split('?', 1)[0]!
    if (isApi(pathname)) return reply.callNotFound()
    const found = findPage(pathname)
    if (found?.page === pages.listing && found.id !== null) return sendListing(found.id, request, reply)
    if (found) return sendHtml(reply, 200, readyPages.get(found.page)![readerOf(request)])
    if (wantsHtml(request)) return sendHtml(reply, 404, notFound[readerOf(request)])
    reply.callNotFound()
  })
  serveForCrawlers(fastify, options)
}

function serveForCrawlers(fastify: FastifyInstance, { publicUrl, calls }: PageOptions): void {
  const sitemap = new Sitemap({
    publicUrl,
    listActiveIds: async query => {
      const context = { actor: null, timeoutMs: SITEMAP_TIMEOUT_MS }
      const listings = await calls.call('listing-svc', listingRoutes.listListings, { query }, context)
      return listings.map(({ id }) => id)
    },
  })
  fastify.get('/robots.txt', (_, reply) => {
    reply.header('cache-control', SITEMAP_CACHE).type('text/plain; charset=utf-8').send(robotsTxt(publicUrl))
  })
  fastify.get('/sitemap.xml', async (_, reply) => {
    const xml = await sitemap.get()
    if (xml === null) throw new DomainError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS })
    return reply.header('cache-control', SITEMAP_CACHE).type('application/xml; charset=utf-8').send(xml)
  })
}

/** The HTML never contains a private listing. To readers who may see it, the app shows it. */
function listingPageHead(found: Listing | 'absent' | 'unknown', publicUrl: string): PageHead {
  if (found === 'absent') return absentHead(LISTING_NOT_FOUND_PAGE)
  if (found === 'unknown' || found.isPrivate) return { ...pageHead(pages.listing, publicUrl), indexed: false }
  return listingHead(found, publicUrl)
}

const sendHtml = (reply: FastifyReply, status: 200 | 404 | 503, html: string) =>
  reply
    .code(status)
    .header('cache-control', PAGE_CACHE)
    .header('vary', 'cookie')
    .type('text/html; charset=utf-8')
    .send(html)

const isApi = (pathname: string): boolean => pathname === '/api' || pathname.startsWith('/api/')

/** Whether the client accepts HTML. A browser does when it opens an address, and not when it fetches a script or image. */
const wantsHtml = (request: FastifyRequest): boolean => request.headers.accept?.includes('text/html') ?? false
