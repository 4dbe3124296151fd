import { routes } from 'virtual:routes'
import type { LiveEvent } from '@holdfast/contracts/messages'
import { describe, expect, test } from '@jest/globals'
import { followsLater, isAffected, readLiveEvent } from './affected.js'

const paid: LiveEvent = { kind: 'transaction', transactionId: 7, type: 'escrow.transaction.paid.v1' }
const written: LiveEvent = { kind: 'message', transactionId: 7, type: 'messaging.message.posted.v1' }
const reset: LiveEvent = { kind: 'reset', type: 'reset' }
const one = (route: { path: string }, id: string) => [route.path, { params: { id } }]

describe('what an event makes stale', () => {
  test('a deal that moved: itself, its history and money, and every list it stands in', () => {
    for (const key of [
      one(routes.getTransaction, '7'),
      one(routes.getTimeline, '7'),
      one(routes.getLedger, '7'),
      [routes.getQuote.path, { params: { id: '7' }, query: { method: 'card' } }],
      [routes.listTransactions.path, { pages: 1 }],
      [routes.getTransactionSummary.path, {}],
      [routes.listNotifications.path, { query: { limit: 8 } }],
      [routes.listMessages.path, { params: { id: '7' }, query: { limit: 100 } }],
    ]) {
      expect(isAffected(paid, key)).toBe(true)
    }
  })

  test('another deal stays fresh', () => {
    expect(isAffected(paid, one(routes.getTransaction, '8'))).toBe(false)
    expect(isAffected(paid, one(routes.getLedger, '77'))).toBe(false)
  })

  test('a message: the conversation and the bell, and no money', () => {
    expect(isAffected(written, one(routes.listMessages, '7'))).toBe(true)
    expect(isAffected(written, one(routes.listMessages, '8'))).toBe(false)
    expect(isAffected(written, [routes.listNotifications.path, {}])).toBe(true)
    expect(isAffected(written, one(routes.getTransaction, '7'))).toBe(false)
  })

  test('a dispute: the deal it stops, too', () => {
    const disputed: LiveEvent = { kind: 'dispute', transactionId: 7, type: 'dispute.dispute.opened.v1' }
    expect(isAffected(disputed, one(routes.getTransaction, '7'))).toBe(true)
    expect(isAffected(disputed, [routes.listDisputesOfUser.path, { params: { userId: 'u' } }])).toBe(true)
  })

  test('who is signed in is no deal’s business, unless everything is uncertain', () => {
    const user = [routes.getCurrentUser.path, {}]
    expect(isAffected(paid, user)).toBe(false)
    expect(isAffected(reset, user)).toBe(true)
  })

  test('keys of another shape are left alone', () => {
    for (const key of ['text', null, undefined, [], [7]]) expect(isAffected(reset, key)).toBe(false)
  })
})

test('messages and notifications follow an event a moment later, money does not', () => {
  expect(followsLater(one(routes.listMessages, '7'))).toBe(true)
  expect(followsLater([routes.listNotifications.path, {}])).toBe(true)
  expect(followsLater(one(routes.getTransaction, '7'))).toBe(false)
})

test('an event of a kind this page does not know is passed over', () => {
  expect(readLiveEvent(JSON.stringify(paid))).toEqual(paid)
  expect(readLiveEvent('{"kind":"payout"}')).toBeNull()
  expect(readLiveEvent('null')).toBeNull()
})
