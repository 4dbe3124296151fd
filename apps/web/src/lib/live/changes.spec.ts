import { routes } from 'virtual:routes'
import type { LiveEvent } from '@holdfast/contracts/messages'
import {
  type Change,
  cancelSecondRefreshes,
  followsLater,
  isStaleAfter,
  readLiveEvent,
  refreshAfter,
} from './changes.js'

const paid: LiveEvent = { kind: 'transaction', transactionId: 7, type: 'escrow.transaction.paid.v1' }
const written: LiveEvent = { kind: 'message', transactionId: 7, type: 'messaging.message.posted.v1' }
const reset: LiveEvent = { kind: 'reset', type: 'reset' }
const one = (route: { path: string }, id: string) => [route.path, { params: { id } }]

describe('what a change makes stale', () => {
  test('a deal that moved: itself, its history and money, and every list it stands in', () => {
    for (const key of [
      one(routes.getTransaction, '7'),
      one(routes.getTimeline, '7'),
      one(routes.getLedger, '7'),
      [routes.getQuote.path, { params: { id: '7' }, query: { method: 'card' } }],
      [routes.listTransactions.path, { query: { role: 'seller' } }, 'pages'],
      [routes.listListings.path, { query: { sort: 'newest' } }, 'pages'],
      [routes.getTransactionSummary.path, {}],
      [routes.listNotifications.path, { query: { limit: 8 } }],
      [routes.getUnreadNotifications.path, {}],
      [routes.listMessages.path, { params: { id: '7' }, query: { limit: 100 } }],
    ]) {
      expect(isStaleAfter(paid, key)).toBe(true)
    }
  })

  test('another deal stays fresh', () => {
    expect(isStaleAfter(paid, one(routes.getTransaction, '8'))).toBe(false)
    expect(isStaleAfter(paid, one(routes.getLedger, '77'))).toBe(false)
  })

  test('a message: the conversation and the bell, and no money', () => {
    expect(isStaleAfter(written, one(routes.listMessages, '7'))).toBe(true)
    expect(isStaleAfter(written, one(routes.listMessages, '8'))).toBe(false)
    expect(isStaleAfter(written, [routes.listNotifications.path, {}])).toBe(true)
    expect(isStaleAfter(written, one(routes.getTransaction, '7'))).toBe(false)
  })

  test('a listing that its seller changed: itself and every list of listings, and no deal', () => {
    const edited: Change = { kind: 'listing' }
    expect(isStaleAfter(edited, one(routes.getListing, '3'))).toBe(true)
    expect(isStaleAfter(edited, [routes.listListings.path, { query: { sellerId: 'u' } }, 'pages'])).toBe(true)
    expect(isStaleAfter(edited, one(routes.getTransaction, '7'))).toBe(false)
  })

  test('notifications that were read: the bell alone', () => {
    const read: Change = { kind: 'notifications' }
    expect(isStaleAfter(read, [routes.getUnreadNotifications.path, {}])).toBe(true)
    expect(isStaleAfter(read, one(routes.listMessages, '7'))).toBe(false)
  })

  test('a dispute: the deal it stops, too', () => {
    const disputed: LiveEvent = { kind: 'dispute', transactionId: 7, type: 'dispute.dispute.opened.v1' }
    expect(isStaleAfter(disputed, one(routes.getTransaction, '7'))).toBe(true)
    expect(isStaleAfter(disputed, [routes.listDisputesOfUser.path, { params: { userId: 'u' } }])).toBe(true)
  })

  test('who is signed in does not depend on a deal; after a reset everything is asked again', () => {
    const user = [routes.getCurrentUser.path, {}]
    expect(isStaleAfter(paid, user)).toBe(false)
    expect(isStaleAfter(reset, user)).toBe(true)
  })

  test('keys of another shape are left alone', () => {
    for (const key of ['text', null, undefined, [], [7]]) expect(isStaleAfter(reset, key)).toBe(false)
  })
})

test('messages, notifications and listings follow a moment later, money does not', () => {
  expect(followsLater(one(routes.listMessages, '7'))).toBe(true)
  expect(followsLater([routes.listNotifications.path, {}])).toBe(true)
  expect(followsLater(one(routes.getListing, '3'))).toBe(true)
  expect(followsLater(one(routes.getTransaction, '7'))).toBe(false)
})

describe('what follows a change later', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test('is refreshed a second time, unless all answers are forgotten before', async () => {
    await refreshAfter({ kind: 'listing' })
    expect(jest.getTimerCount()).toBe(1)
    await jest.advanceTimersByTimeAsync(2_000)
    expect(jest.getTimerCount()).toBe(0)

    await refreshAfter({ kind: 'listing' })
    cancelSecondRefreshes()
    expect(jest.getTimerCount()).toBe(0)
  })

  test('is not asked for again after a message: the service that answers has already written it', async () => {
    await refreshAfter(written, reset, { kind: 'notifications' })
    expect(jest.getTimerCount()).toBe(0)
  })
})

test('an event of a kind that this page does not know is ignored', () => {
  expect(readLiveEvent(JSON.stringify(paid))).toEqual(paid)
  expect(readLiveEvent('{"kind":"gift"}')).toBeNull()
  expect(readLiveEvent('null')).toBeNull()
})
