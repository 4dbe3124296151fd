import { listingRoutes } from '@holdfast/contracts/listings'
import { paymentRoutes } from '@holdfast/contracts/payments'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { userRoutes } from '@holdfast/contracts/users'
import { faultsOfAnswer, faultsOfRequest, findRoute, missingCodeOf } from './contract-check.js'
import { refusal } from './fake-server.js'
import { transaction } from './transactions.js'

const { getTransaction, getTransactionSummary, cancelTransaction, listTransactions } = transactionRoutes

test('the route of a request is found by its path, and a fixed path goes before one with a parameter', () => {
  expect(findRoute('GET', '/api/transactions/42')).toBe(getTransaction)
  expect(findRoute('GET', '/api/transactions/summary')).toBe(getTransactionSummary)
  expect(findRoute('DELETE', '/api/transactions/42')).toBe(cancelTransaction)
  expect(findRoute('PUT', '/api/transactions/42')).toBeUndefined()
  expect(findRoute('GET', '/v1/payment_intents/pi_1')).toBeUndefined()
})

test('the 404 of a route has the code that the route gives it', () => {
  expect(missingCodeOf(getTransaction)).toBe('TRANSACTION_NOT_FOUND')
  expect(missingCodeOf(userRoutes.getCurrentUser)).toBeUndefined()
})

describe('a request', () => {
  const request = (path: string, more = {}) => ({
    path,
    query: new URLSearchParams(),
    headers: new Headers(),
    body: undefined,
    ...more,
  })

  test.each<[string, RouteDefinition, ReturnType<typeof request>, RegExp]>([
    ['with an id that is not valid', getTransaction, request('/api/transactions/abc'), /the params: id/],
    [
      'with a status that does not exist',
      listTransactions,
      request('/api/transactions', { query: new URLSearchParams('status=paid&status=lost') }),
      /the query: status/,
    ],
    [
      'without the idempotency key that the route needs',
      paymentRoutes.createPayment,
      request('/api/transactions/42/payments', { body: { method: 'card' } }),
      /the headers: idempotency-key/,
    ],
    [
      'with a body that is not valid',
      paymentRoutes.createPayment,
      request('/api/transactions/42/payments', { body: {}, headers: new Headers({ 'idempotency-key': 'k' }) }),
      /the body: method/,
    ],
    [
      'with a body where the route has none',
      cancelTransaction,
      request('/api/transactions/42', { body: {} }),
      /expects no body/,
    ],
  ])('%s is a fault', (_, route, sent, fault) => {
    expect(faultsOfRequest(route, sent)).toEqual([expect.stringMatching(fault)])
  })

  test('that the server takes has no fault', () => {
    const query = new URLSearchParams('status=paid&status=shipped&limit=5&before=7')
    expect(faultsOfRequest(listTransactions, request('/api/transactions', { query }))).toEqual([])
  })
})

describe('an answer', () => {
  const { clock: _, ...withoutClock } = transaction()

  test.each<[string, RouteDefinition, number, unknown, RegExp]>([
    ['with another status', listingRoutes.createListing, 200, {}, /status 201, not 200/],
    ['without a field', getTransaction, 200, withoutClock, /answer this: clock/],
    [
      'with a field that the route does not have',
      listTransactions,
      200,
      [{ ...transaction(), secret: 1 }],
      /0\.secret: it has no such field/,
    ],
    ['with a body where the route has none', userRoutes.logOut, 204, {}, /without a body/],
    [
      'that refuses with a code of another route',
      getTransaction,
      404,
      refusal('LISTING_NOT_FOUND').body,
      /does not refuse this with LISTING_NOT_FOUND/,
    ],
    [
      'that refuses with the status of another code',
      getTransaction,
      409,
      refusal('TRANSACTION_NOT_FOUND').body,
      /has status 404, not 409/,
    ],
    ['that refuses without saying why', getTransaction, 404, {}, /not the body of a refusal: code/],
  ])('%s is a fault', (_name, route, status, body, fault) => {
    expect(faultsOfAnswer(route, status, body)).toContainEqual(expect.stringMatching(fault))
  })

  test('that the server gives has no fault', () => {
    expect(faultsOfAnswer(getTransaction, 200, transaction())).toEqual([])
    expect(faultsOfAnswer(getTransaction, 404, refusal('TRANSACTION_NOT_FOUND').body)).toEqual([])
  })
})
