import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type FoundPage, findPage } from '@holdfast/contracts/find-page'
import { type Listing, listingRoutes } from '@holdfast/contracts/listings'
import { LISTING_NOT_FOUND_PAGE, NOT_FOUND_PAGE, type Page, pages } from '@holdfast/contracts/pages'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { DomainError } from '@holdfast/kernel/errors'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ingress } from '../ingress/ingress.js'
import type { ServiceCalls } from '../services/service-calls.js'
import type { Sessions } from '../sessions/sessions.js'
import { firstReads } from './first-reads.js'
import { lookUpListing } from './listing-lookup.js'
import { readPageFiles } from './page-files.js'
import { absentHead, listingHead, type PageHead, pageHead } from './page-head.js'
import { NO_PRELOADS, pageTemplate } from './page-template.js'
import { robotsTxt } from './robots.js'
import { SITEMAP_AGE_MS, SITEMAP_TIMEOUT_MS, Sitemap } from './sitemap.js'

export interface PageOptions {
  readonly publicUrl: string
  /** The ways to pay that buyers are offered. */
  readonly paymentMethods: readonly PaymentMethod[]
  readonly calls: ServiceCalls
  readonly ingress: Ingress
  readonly sessions: Sessions
}

export const INDEX = 'index.html'
/** A page refers to the files of one build, so browsers must revalidate it each time. */
const PAGE_CACHE = 'no-cache'
/** When a client should ask again for what could not be looked up, in seconds. */
const RETRY_AFTER_SECONDS = 5
const SITEMAP_CACHE = `public, max-age=${SITEMAP_AGE_MS / 1000}`

/**
 * Answers every address that is neither a file nor below /api/ with the web app's HTML and the head of that page. Search
 * engines and link previews run no script, so they need the head. An unknown address is 404: a browser gets the HTML, which
 * shows the app's 404 page, and other clients get an error in JSON.
 *
 * @param root the folder of the built web app
 */
export function servePages(fastify: FastifyInstance, root: string, options: PageOptions): void {
  const { publicUrl, paymentMethods, calls, ingress, sessions } = options
  const render = pageTemplate(readFileSync(path.join(root, INDEX), 'utf8'), paymentMethods)
  const filesOf = readPageFiles(root)
  const readerOf = (request: FastifyRequest) => (sessions.hashOf(request) === null ? 'visitor' : 'user')

  // Without a session, which a search engine never has, a page for signed-in people is the sign-in screen. It must not be listed.
  const headFor = (page: Page, request: FastifyRequest): PageHead => {
    const head = pageHead(page, publicUrl)
    return page.access === 'user' && readerOf(request) === 'user' ? { ...head, indexed: true } : head
  }

  const sendPage = (found: FoundPage, status: Status, head: PageHead, request: FastifyRequest, reply: FastifyReply) => {
    const reader = readerOf(request)
    // A visitor sees the sign-in screen in place of a page for signed-in people.
    const shown = reader === 'visitor' && found.page.access === 'user' ? pages.auth : found.page
    const reads = status === 200 ? firstReads(found, reader, request.url.includes('?')) : []
    return sendHtml(reply, status, render(head, reader, { scripts: filesOf(shown), reads }))
  }

  const sendListing = async (page: FoundPage, id: number, request: FastifyRequest, reply: FastifyReply) => {
    const found = await lookUpListing(id, calls, () => ingress.identify(request, listingRoutes.getListing))
    // A search engine keeps what it knows of the page and asks again. For a person the app runs and loads the listing itself.
    if (found === 'unknown') reply.header('retry-after', RETRY_AFTER_SECONDS)
    const status = found === 'absent' ? 404 : found === 'unknown' ? 503 : 200
    return sendPage(page, status, listingPageHead(found, publicUrl), request, reply)
  }

  const sendNotFound = (request: FastifyRequest, reply: FastifyReply) =>
    wantsHtml(request)
      ? sendHtml(reply, 404, render(absentHead(NOT_FOUND_PAGE), readerOf(request), NO_PRELOADS))
      : reply.callNotFound()

  /** A page of the console. Whoever is no admin gets the same answer as for an address without a page. */
  const sendConsole = async (found: FoundPage, request: FastifyRequest, reply: FastifyReply) => {
    // Any route for admins will do: its method and its access are all that is read of it.
    const { actor } = await ingress.identify(request, transactionRoutes.getTrialBalance)
    if (actor?.kind !== 'user' || actor.role !== 'admin') return sendNotFound(request, reply)
    return sendPage(found, 200, headFor(found.page, request), request, reply)
  }

  fastify.get('/*', (request, reply) => {
    const pathname = request.url.split('?', 1)[0]!
    if (isApi(pathname)) return reply.callNotFound()
    const found = findPage(pathname)
    if (found?.page === pages.listing && found.id !== null) return sendListing(found, found.id, request, reply)
    if (found?.page.access === 'admin') return sendConsole(found, request, reply)
    if (found) return sendPage(found, 200, headFor(found.page, request), request, reply)
    return sendNotFound(request, reply)
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

type Status = 200 | 404 | 503

const sendHtml = (reply: FastifyReply, status: Status, html: string) =>
  reply
    .code(status)
    .header('cache-control', PAGE_CACHE)
    .header('vary', 'cookie')
    .type('text/html; charset=utf-8')
    .send(html)

const isApi = (pathname: string): boolean => pathname === '/api' || pathname.startsWith('/api/')

/** Whether the client accepts HTML. A browser does when it opens an address, and not when it fetches a script or image. */
const wantsHtml = (request: FastifyRequest): boolean => request.headers.accept?.includes('text/html') ?? false
