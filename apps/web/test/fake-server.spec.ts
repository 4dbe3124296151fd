import { expectContractsKept, fakeServer, takeBreaches, watchContracts } from './fake-server.js'
import { transaction } from './transactions.js'

describe('a test fails at its end', () => {
  test.each<[string, Parameters<typeof fakeServer>[0], () => Promise<unknown>, string]>([
    [
      'when its server answers what the real one would not',
      { 'GET /api/transactions/42': () => ({ body: { ...transaction(), secret: 1 } }) },
      () => fetch('/api/transactions/42'),
      'GET /api/transactions/42: the server would not answer this: secret: it has no such field',
    ],
    [
      'when the page sends what the real server would refuse',
      { 'POST /api/auth/logout': () => ({ status: 204 }) },
      () => fetch('/api/auth/logout', { method: 'POST', body: '{}' }),
      'POST /api/auth/logout: the server expects no body',
    ],
    [
      'when the page asks for a route that the real server lacks',
      { 'GET /api/nothing': () => ({ body: {} }) },
      () => fetch('/api/nothing'),
      'GET /api/nothing: the server has no such route',
    ],
    [
      'when the page sends what the test has no handler for',
      {},
      () => fetch('/api/auth/logout', { method: 'POST' }).catch(() => undefined),
      'POST /api/auth/logout: the test has no handler for it',
    ],
  ])('%s', async (_, handlers, act, breach) => {
    fakeServer(handlers)
    await act()
    // An expectation that fails in the hook after each test fails the test.
    expect(expectContractsKept).toThrow(breach)
    expect(takeBreaches()).toEqual([])
  })
})

test('a test that keeps the contracts passes', async () => {
  fakeServer({ 'GET /api/transactions/42': () => ({ body: transaction() }) })
  await fetch('/api/transactions/42')
  expect(takeBreaches()).toEqual([])
})

test('a test does not meet the server of the test before it', async () => {
  await expect(fetch('/api/transactions/42').then(answer => answer.json())).resolves.toMatchObject({
    code: 'TRANSACTION_NOT_FOUND',
  })
})

test('there is no server where nothing would check the contracts', () => {
  takeBreaches()
  expect(() => fakeServer({})).toThrow('nothing checks the contracts')
})

test('a test does not begin when nothing has checked the one before it', () => {
  expect(() => watchContracts()).toThrow('nothing has checked the contracts')
})
