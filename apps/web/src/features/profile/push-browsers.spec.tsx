import type { PushBrowser } from '@holdfast/contracts/push'
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../test/fake-server.js'
import { uuid } from '../../../test/ids.js'
import { show } from '../../../test/show.js'
import PushBrowsers from './push-browsers.js'

const SUBSCRIPTION = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/a',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}
const browser = (change: Partial<PushBrowser> = {}): PushBrowser => ({
  id: uuid(1),
  current: true,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  createdAt: '2026-11-20T10:00:00.000Z',
  ...change,
})

/** A browser that offers push messages, as far as the page uses it. */
function offerPush(answer: NotificationPermission) {
  const asked = { permission: 0 }
  const pushManager = {
    getSubscription: async () => null,
    subscribe: async () => ({ toJSON: () => SUBSCRIPTION }),
  }
  const worker = {
    register: async () => ({}),
    ready: Promise.resolve({ pushManager }),
    getRegistration: async () => undefined,
  }
  Object.defineProperty(navigator, 'serviceWorker', { value: worker, configurable: true })
  const notification = {
    permission: 'default' as NotificationPermission,
    requestPermission: async () => {
      asked.permission++
      notification.permission = answer
      return answer
    },
  }
  Object.assign(window, { PushManager: class {}, Notification: notification })
  return asked
}

afterEach(() => {
  cleanup()
  for (const name of ['PushManager', 'Notification']) Reflect.deleteProperty(window, name)
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test('a browser that offers no push messages says so', async () => {
  fakeServer({ 'GET /api/push': () => ({ body: { publicKey: 'AAAA', browsers: [] } }) })
  show(<PushBrowsers />)
  expect(await screen.findByText('This browser does not offer push notifications.')).toBeTruthy()
})

test('the permission is asked for by a click alone, and the subscription is sent to the server', async () => {
  const asked = offerPush('granted')
  let browsers: PushBrowser[] = []
  let sent: unknown
  fakeServer({
    'GET /api/push': () => ({ body: { publicKey: 'AAAA', browsers } }),
    'POST /api/push/subscriptions': ({ body }) => {
      sent = body
      browsers = [browser()]
      return { status: 201, body: browsers[0]! }
    },
  })
  show(<PushBrowsers />)
  const button = await screen.findByRole('button', { name: 'Turn On in This Browser' })
  expect(asked.permission).toBe(0)
  await userEvent.click(button)
  expect(await screen.findByText('Push notifications are on')).toBeTruthy()
  expect(sent).toEqual(SUBSCRIPTION)
  expect(await screen.findByText('Firefox on Linux')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Turn On in This Browser' })).toBeNull()
})

test('a refused permission sends nothing, and says where it can be changed', async () => {
  offerPush('denied')
  const { calls } = fakeServer({ 'GET /api/push': () => ({ body: { publicKey: 'AAAA', browsers: [] } }) })
  show(<PushBrowsers />)
  await userEvent.click(await screen.findByRole('button', { name: 'Turn On in This Browser' }))
  expect(await screen.findByText(/You do not allow notifications/)).toBeTruthy()
  expect(calls.filter(call => call.startsWith('POST'))).toEqual([])
})

test('another browser can be turned off from here', async () => {
  offerPush('granted')
  let browsers = [browser(), browser({ id: uuid(2), current: false, userAgent: null })]
  fakeServer({
    'GET /api/push': () => ({ body: { publicKey: 'AAAA', browsers } }),
    [`DELETE /api/push/subscriptions/${uuid(2)}`]: () => {
      browsers = browsers.slice(0, 1)
      return { status: 204 }
    },
  })
  show(<PushBrowsers />)
  await userEvent.click(await screen.findByRole('button', { name: 'Turn off Unknown browser' }))
  expect(await screen.findByText('Push notifications are off in that browser')).toBeTruthy()
  expect(screen.queryByText('Unknown browser')).toBeNull()
})
