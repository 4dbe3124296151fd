import { BUYERS, LISTINGS, personIdOf, sessionCookie } from '../bench/prepare.js'
import { sendAtRate } from './repeated-requests.js'

/** A read of each service behind the gateway, for the buyer of the deal with this id. */
const READS = [
  id => `/api/listings/${1 + (id % LISTINGS)}`,
  () => '/api/auth/user',
  id => `/api/transactions/${id}/timeline`,
  id => `/api/disputes/user/${personIdOf(id % BUYERS)}`,
  () => '/api/notifications/unread',
]

/**
 * Reads from every service in turn, `perSecond` times a second, until `signal` aborts, as the buyers of prepared deals. Answers how it went for
 * each as `sendAtRate` does.
 */
export const readAll = ({ baseUrl, deals, perSecond }, signal) =>
  sendAtRate({ perSecond, signal }, n => {
    const id = deals.toAccept + (n % deals.count)
    const headers = { cookie: sessionCookie(id % BUYERS) }
    return { url: baseUrl + READS[n % READS.length](id), method: 'GET', headers }
  })
