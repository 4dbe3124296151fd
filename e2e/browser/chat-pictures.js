import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { PASSWORD, Person } from '../support/person.js'
import { png } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { control } from '../support/sandbox.js'
import { keepPicture, withBrowsers } from './visit.js'

const file = (name, colour) => ({ name, mimeType: 'image/png', buffer: png(600, 400, colour) })
/** Runs in the page: a browser without windows offers no push messages, so this one answers for it. The service worker is real. */
function offerPush(subscription) {
  const Allowed = class extends EventTarget {
    static permission = 'granted'
    static requestPermission = async () => 'granted'
  }
  const pushManager = {
    getSubscription: async () => null,
    subscribe: async () => ({ toJSON: () => subscription, unsubscribe: async () => true }),
  }
  Object.assign(window, { Notification: Allowed, PushManager: window.PushManager ?? class {} })
  Object.defineProperty(ServiceWorkerRegistration.prototype, 'pushManager', { get: () => pushManager })
}

const chatOf = page => page.getByRole('log', { name: 'Conversation' })

/** Pictures in a chat, and push messages about it. */
export const chatPictureJourneys = browser => [
  journey('pictures are sent in a chat, seen large by the other party, and by nobody else', async () => {
    const [deal, stranger] = await Promise.all([Deal.at('paid', { title: 'A walnut desk' }), Person.signUp('Nosy')])
    const people = [{ person: deal.buyer, width: 390 }, { person: deal.seller }]
    await withBrowsers(browser, 'chat-pictures', people, async ({ page: buying }, { page: selling }) => {
      await Promise.all([buying, selling].map(page => page.goto(`/transaction/${deal.id}#messages`)))
      await buying
        .getByLabel(/^Add pictures/)
        .setInputFiles([file('leg.png', [180, 120, 60]), file('top.png', [90, 60, 40])])
      await buying.getByRole('list', { name: 'Pictures to send' }).getByRole('listitem').nth(1).waitFor()
      await keepPicture(buying, 'chat-pictures-chosen')
      await buying.getByRole('button', { name: 'Send message' }).click()
      await chatOf(buying).getByRole('button', { name: 'Enlarge picture 2 of 2 from You' }).waitFor()
      const enlarge = chatOf(selling).getByRole('button', { name: /^Enlarge picture 1 of 2 from / })
      await enlarge.click()
      const dialog = selling.getByRole('dialog', { name: 'Picture 1 of 2' })
      await dialog.getByRole('img').waitFor()
      await eventually('the picture is loaded', () =>
        dialog.getByRole('img').evaluate((/** @type {HTMLImageElement} */ image) => image.naturalWidth > 0),
      )
      await keepPicture(selling, 'chat-pictures-large')
      await selling.keyboard.press('ArrowRight')
      await selling.getByRole('dialog', { name: 'Picture 2 of 2' }).waitFor()
      await selling.keyboard.press('Escape')
      await keepPicture(selling, 'chat-pictures-seller')
      await selling.goto('/messages')
      await selling.getByRole('listitem').filter({ hasText: 'A walnut desk' }).getByText('2 pictures').waitFor()
      const messages = await deal.seller.expect(200, 'GET', `/api/transactions/${deal.id}/messages`)
      const [{ url }] = messages.at(-1).images
      const { status } = await stranger.call('GET', url)
      assert.equal(status, 404, 'a stranger gets no picture')
    })
  }),
  journey('a browser that is turned on gets push messages, and none after it is turned off', async () => {
    const deal = await Deal.at('paid', { title: 'A copper kettle' })
    const { publicKey } = await deal.buyer.expect(200, 'GET', '/api/push')
    // The push service of a real browser cannot be reached here, so the sandbox has a browser that subscribes.
    const subscription = await control('POST', '/push', { serverKey: publicKey })
    const shownIn = async id => {
      const messages = await control('GET', '/push')
      return messages.filter(({ browserId }) => browserId === id).map(({ text }) => JSON.parse(text).title)
    }
    await withBrowsers(browser, 'push', [{ person: deal.buyer, width: 390 }], async ({ page }) => {
      await page.addInitScript(offerPush, subscription)
      await page.goto('/profile')
      await page.getByRole('button', { name: 'Turn On in This Browser' }).click()
      const turnOff = page.getByRole('button', { name: 'Turn off this browser' })
      await turnOff.waitFor()
      await turnOff.scrollIntoViewIfNeeded()
      await keepPicture(page, 'push-on')
      await deal.seller.expect(201, 'POST', `${deal.path}/messages`, { body: { content: 'The door code is 4711' } })
      // It passes two services and their timers.
      const isShown = async () => (await shownIn(subscription.id)).includes('New message from the seller')
      await eventually('the browser shows a push message', isShown, { withinMs: 45_000 })
      const messages = await control('GET', '/push')
      assert.ok(!JSON.stringify(messages).includes('4711'), 'no word of the chat is in a push message')
      await turnOff.click()
      await page.getByRole('button', { name: 'Turn On in This Browser' }).waitFor()
      const { browsers } = await deal.buyer.expect(200, 'GET', '/api/push')
      assert.deepEqual(browsers, [])
      const before = await shownIn(subscription.id)
      // Another browser of the buyer, which is turned on, shows when the next push message is sent.
      const elsewhere = await Person.signIn(deal.buyer.email, PASSWORD)
      const { id: other, ...otherSubscription } = await control('POST', '/push', { serverKey: publicKey })
      await elsewhere.expect(201, 'POST', '/api/push/subscriptions', { body: otherSubscription })
      await deal.ship()
      const isShownThere = async () => (await shownIn(other)).includes('Item shipped')
      await eventually('the other browser shows a push message', isShownThere, { withinMs: 45_000 })
      assert.deepEqual(await shownIn(subscription.id), before, 'a browser that is turned off gets none')
    })
  }),
]
