import http from 'k6/http'
import { api, buyListing, sessionOf } from './api.js'

const PEOPLE = JSON.parse(open(__ENV.PEOPLE_FILE))
/** A person may have five unpaid purchases, and writes at most a message a second. */
const CHATS = 60
const PAGE = 100
const MOST_LISTINGS = 10_000

/** Signs the people in who have no session yet, finds listings, and opens the transactions of the chats. */
export function prepare(flows) {
  const needs = flow => flows.includes(flow)
  const people = needs('buy') || needs('chat') ? PEOPLE.map(person => person.session ?? signIn(person)) : []
  const listings = findListings(needs('buy') ? MOST_LISTINGS : 1_000)
  const chats = []
  while (needs('chat') && chats.length < Math.min(CHATS, people.length)) {
    const listing = listings.pop()
    if (!listing) throw new Error(`there are listings for ${chats.length} chats only`)
    // The last people chat, and the first ones buy.
    const session = people[people.length - 1 - chats.length]
    const transaction = buyListing(session, listing)
    if (transaction) chats.push({ session, transactionId: transaction.id })
  }
  return { people: people.slice(0, people.length - chats.length || undefined), listings, chats }
}

function signIn({ email, password }) {
  const answer = api('POST', '/api/auth/signin', { body: { email, password } })
  const session = sessionOf(answer)
  if (answer.status !== 200 || !session) throw new Error(`${email} cannot sign in: ${answer.status} ${answer.body}`)
  return session
}

function findListings(most) {
  const found = []
  /** @type {string | undefined} */
  let path = `/api/listings?limit=${PAGE}`
  while (path && found.length < most) {
    const answer = http.get(__ENV.BASE_URL + path)
    if (answer.status !== 200) throw new Error(`no listings: ${answer.status} ${answer.body}`)
    const listings = /** @type {{ id: number, price: string }[]} */ (/** @type {unknown} */ (answer.json()))
    for (const { id, price } of listings) found.push({ id, price })
    path = /<([^>]*)>; rel="next"/.exec(answer.headers.Link ?? '')?.[1]
  }
  return found
}
