// What the dashboard and the browse page ask the API for, as text for a raw socket.
import { listingRoutes } from '@holdfast/contracts/listings'
import { messageRoutes } from '@holdfast/contracts/messages'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { userRoutes } from '@holdfast/contracts/users'
import { urlOf } from '@holdfast/http-client/call'
import { DEAL_STATUSES, isActive } from '@holdfast/kernel/deals'
import { LISTINGS_OF_A_PAGE, NEWEST_LISTINGS } from '@holdfast/kernel/listings'
import { personIdOf, sessionCookie } from '../prepare.js'
import { FIRST_ON_SALE, FIRST_TRADER, onSaleFor, tradersFor } from './numbers.js'

const BELL_SHOWS = 30

const list = query => urlOf(listingRoutes.listListings.path, { query })
const browse = query => list({ ...query, limit: LISTINGS_OF_A_PAGE })
const count = query => urlOf(listingRoutes.countListings.path, { query })
const deals = query => urlOf(transactionRoutes.listTransactions.path, { query })

/** The calls of the dashboard for the user with this number: the page, its tabs, and the bar above it. */
const DASHBOARD = {
  'who am I': () => urlOf(userRoutes.getCurrentUser.path),
  'running deals': () => deals({ status: DEAL_STATUSES.filter(isActive) }),
  'past deals': () => deals({ status: DEAL_STATUSES.filter(status => !isActive(status)) }),
  figures: () => urlOf(transactionRoutes.getTransactionSummary.path),
  'deals as buyer': () => deals({ role: 'buyer' }),
  'deals as seller': () => deals({ role: 'seller' }),
  'a search of deals': () => deals({ q: 'guitar' }),
  'unsold listings': user => list({ sellerId: personIdOf(user), status: ['active', 'inactive'] }),
  notifications: () => urlOf(messageRoutes.listNotifications.path, { query: { limit: BELL_SHOWS } }),
  'unread notifications': () => urlOf(messageRoutes.getUnreadNotifications.path),
}

/** Searches: a common word, two words, and a rare one. */
const COMMON = ['camera', 'guitar', 'bicycle', 'lamp', 'silver', 'oak']
const TWO = ['brass lamp', 'walnut chair', 'signed novel', 'electric guitar']
const turn = (words, n) => words[n % words.length]

/** The calls of the browse page. `n` counts up, `sale` is the number of listings on sale. */
const BROWSE = {
  'first page': () => list(NEWEST_LISTINGS),
  'next page': (n, sale) => browse({ sort: 'newest', before: FIRST_ON_SALE + 1 + ((n * 7_919) % sale) }),
  'a category': n => browse({ sort: 'newest', category: turn(['Electronics', 'Books', 'Sports'], n) }),
  'by price': n => browse({ sort: turn(['price-asc', 'price-desc'], n) }),
  'a condition between prices': n =>
    browse({ sort: 'newest', condition: 'Good', minPrice: `${100 + (n % 50)}.00`, maxPrice: '220.00' }),
  'a common word': n => browse({ sort: 'newest', q: turn(COMMON, n) }),
  'two words': n => browse({ sort: 'newest', q: turn(TWO, n) }),
  'a word by price': n => browse({ sort: 'price-asc', q: turn(COMMON, n) }),
  'a rare word': n => browse({ sort: 'newest', q: `telescope ${100 + (n % 900)}` }),
  'counts of all': () => count({}),
  'counts of a search': n => count({ q: turn(COMMON, n) }),
}

/** The names of a page's calls, in the order of `pageRequests`. */
export const callsOf = page => Object.keys(page === 'dashboard' ? DASHBOARD : BROWSE)

/**
 * One function for each call of a page, which makes its next request.
 * @param {{ page: 'dashboard' | 'browse', port: number, count: number }} options `count` is the number of deals of the world
 */
export function pageRequests({ page, port, count }) {
  return page === 'dashboard'
    ? Object.values(DASHBOARD).map((urlFor, offset) => {
        let n = offset
        return () => {
          const user = FIRST_TRADER + ((n++ * 7_919) % tradersFor(count))
          return get(port, urlFor(user), `Cookie: ${sessionCookie(user)}\r\n`)
        }
      })
    : Object.values(BROWSE).map(urlFor => {
        let n = 0
        return () => get(port, urlFor(n++, onSaleFor(count)))
      })
}

const get = (port, url, headers = '') =>
  `GET ${url} HTTP/1.1\r\nHost: localhost:${port}\r\n${headers}Accept: application/json\r\n\r\n`
