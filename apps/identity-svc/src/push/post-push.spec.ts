import { newBrowser } from '@holdfast/sandbox/push/browsers'
import { postPush } from './post-push.js'
import { type PushConfig, pushShape } from './push-config.js'

afterEach(() => void jest.restoreAllMocks())

const config: PushConfig = {
  SUPPORT_EMAIL: 'support@holdfast.example',
  PUSH_SERVICES: ['https://push.example'],
  VAPID_PRIVATE_KEY: pushShape.VAPID_PRIVATE_KEY.parse(Buffer.alloc(32, 1).toString('base64url')),
}
const browser = { ...newBrowser(config.VAPID_PRIVATE_KEY.publicKey), endpoint: 'https://push.example/1' }
const send = () =>
  postPush(browser, { title: 'Delivered', path: '/transaction/1', tag: 'deal:1' }, { config, ttlSeconds: 60 })

test('leaves the length of the body to fetch, which refuses it twice', async () => {
  const sent = jest.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 201 }))
  expect(await send()).toEqual({ kind: 'sent' })
  const names = [...new Headers(sent.mock.lastCall![1]!.headers).keys()]
  expect(names).toEqual(expect.arrayContaining(['authorization', 'content-encoding', 'ttl']))
  expect(names).not.toContain('content-length')
})

test('says why a push service cannot be reached', async () => {
  const cause = new Error('connect ECONNREFUSED')
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('fetch failed', { cause }))
  expect(await send()).toEqual({ kind: 'failed', words: 'fetch failed: connect ECONNREFUSED', retryAfterMs: 0 })
})
