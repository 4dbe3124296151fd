import { messageRoutes } from '@holdfast/contracts/messages'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { Member } from './member.js'
import { PEOPLE } from './people.js'

/** The answers of the product, in order. After the last one it goes on with that. */
let answers: Response[] = []
const asked: string[] = []
const json = (status: number, body: object) => Response.json(body, { status })
const starting = (details = {}) => json(503, { code: 'UNAVAILABLE', message: 'Please try again.', details })

beforeEach(() => {
  asked.length = 0
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    asked.push(`${init?.method} ${new URL(String(url)).pathname}`)
    return answers.shift()!
  })
})
afterEach(() => void jest.restoreAllMocks())

const signIn = () => Member.signIn('http://127.0.0.1:1', PEOPLE.maya)
const signedIn = () => json(200, { user: { id: 'maya' } })

test('what a service that is still starting has refused is repeated', async () => {
  answers = [starting(), starting(), signedIn()]
  expect((await signIn()).id).toBe('maya')
  expect(asked).toEqual(Array(3).fill('POST /api/auth/signin'))
})

test('a read is repeated whatever became of it, and a write of which that is not known is not', async () => {
  answers = [signedIn(), starting({ outcome: 'unknown' }), json(200, []), starting({ outcome: 'unknown' })]
  const maya = await signIn()
  expect(await maya.call(transactionRoutes.listTransactions, { query: {} })).toEqual([])
  const message = { params: { id: '7' }, body: { content: 'Hello' } }
  await expect(maya.call(messageRoutes.postMessage, message)).rejects.toMatchObject({ status: 503 })
  expect(asked.slice(1)).toEqual([
    'GET /api/transactions',
    'GET /api/transactions',
    'POST /api/transactions/7/messages',
  ])
})
