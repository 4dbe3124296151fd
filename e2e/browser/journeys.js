import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { Deal, moves, trackingNumber } from '../support/deal.js'
import { PASSWORD, Person } from '../support/person.js'
import { png } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { moveParcel } from '../support/sandbox.js'
import { fillCard, payWith } from './card.js'
import { reachByTab } from './keyboard.js'
import { fillItem, signAndCreate } from './listing-wizard.js'
import { see, UNKNOWN_PARCEL, withBrowsers } from './visit.js'

const button = (page, name) => page.getByRole('button', { name })
const link = (page, name) => page.getByRole('link', { name })
/** The provider's answer to a card that is declined. */
const DECLINED = /^402: POST .*\/confirm$/
const TRADERS = [{ mayRefuse: [UNKNOWN_PARCEL] }, { refused: [DECLINED], mayRefuse: [UNKNOWN_PARCEL] }]

/** The refusal that the journey itself makes, and the failures while it keeps a browser offline. */
const TOO_MANY = /^429: POST \/api\/transactions\/\d+\/messages$/
const OFFLINE = /^failed: POST .*\/messages net::ERR_/
/** Pages that need a session and have no words of their own for a visitor. The last one is then opened. */
const PROTECTED = ['/messages', '/upgrade', '/transaction/1001', '/checkout/1001', '/dashboard?tab=buying']
const NOWHERE = ['/nowhere', '/transaction/abc/def', '/listing']

/** Journeys in a real browser. Each opens its own contexts in `browser`. */
export const browserJourneys = browser => [
  journey('two people trade in their browsers, and each sees the other’s actions at once', () =>
    withBrowsers(browser, 'trade', TRADERS, async ({ page: seller }, { page: buyer, trouble }) => {
      await Promise.all([signUp(seller, 'Selma'), signUp(buyer, 'Bruno')])
      const listing = await createListing(seller)
      await buyAndPay(buyer, seller, listing)
      await shipAndDeliver(buyer, seller)
      await accept(buyer, seller)
      await signOut(buyer, trouble)
    }),
  ),

  journey(
    'a sign-out that the server does not confirm shows no account in any tab, and ends the session later',
    async () => {
      const person = await Person.signUp('Ottilie')
      const allowed = {
        refused: [/^console: signing out failed/],
        mayRefuse: [/^failed: POST .*\/logout /, /^401: GET /],
      }
      await withBrowsers(browser, 'sign-out', [{ person, ...allowed }], async ({ context, page }) => {
        const otherTab = await context.newPage()
        for (const tab of [otherTab, page]) {
          await tab.goto('/dashboard')
          await tab.getByRole('tab', { name: 'Overview' }).waitFor()
        }
        await context.route('**/api/auth/logout', route => route.abort())
        await pressSignOut(page)
        for (const tab of [page, otherTab]) await tab.getByText('This browser is not signed out yet').waitFor()
        assert.equal(await otherTab.getByRole('tab', { name: 'Overview' }).count(), 0)
        await page.goto('/dashboard')
        await page.getByLabel('Password').waitFor()
        await page.getByText('This browser is not signed out yet').waitFor()
        assert.equal(await button(page, /^Account of/).count(), 0)
        await person.expect(200, 'GET', '/api/auth/user')
        await context.unroute('**/api/auth/logout')
        await page.getByText('You are signed out', { exact: true }).waitFor()
        await person.refused(401, 'UNAUTHENTICATED', 'GET', '/api/auth/user')
      })
    },
  ),

  journey('signing in, buying and reaching the payment work with the keyboard alone', async () => {
    const [seller, person] = await Promise.all([Person.signUp('Kurt'), Person.signUp('Kim')])
    const { body } = await offer(seller)
    await withBrowsers(browser, 'keyboard', [{}], async ({ page }) => {
      await page.goto(`/listing/${body.id}`)
      await reachByTab(page, 'link', 'Sign In to Purchase')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/auth*')
      await reachByTab(page, 'textbox', 'Email')
      await page.keyboard.type(person.email)
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL(url => !url.pathname.startsWith('/auth'))
      await page.goto(`/listing/${body.id}`)
      await reachByTab(page, 'button', 'Buy with Escrow Protection')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/send-funds/*')
      await reachByTab(page, 'textbox', 'Card Number')
    })
  }),

  journey('a reload while a payment is processing keeps its state, and the deal is charged once', async () => {
    const deal = await Deal.open()
    await withBrowsers(browser, 'processing', [{ person: deal.buyer }], async ({ page, context }) => {
      /** @type {import('playwright-core').Request | undefined} */
      let confirmation
      // Webhooks of one payment cannot be held back alone. So the card reaches the provider later, and until then this browser hears that
      // the provider is working on the payment.
      await context.route('**/v1/payment_intents/**', route => {
        if (route.request().method() === 'POST') confirmation = route.request()
        return confirmation ? route.fulfill({ json: { status: 'processing' } }) : route.fallback()
      })
      await page.goto(`/send-funds/${deal.id}`)
      await payWith(page, '4242 4242 4242 4242')
      await see(page, /^Your card was accepted\./)
      await page.reload()
      await see(page, /^Your card was accepted\./)
      await see(page, 'Processing...')
      assert.equal(await button(page, /^Pay \$/).count(), 0, 'the page does not ask to pay again')
      await context.unroute('**/v1/payment_intents/**')
      assert.ok(confirmation, 'the page confirms the payment')
      assert.equal((await context.request.fetch(confirmation)).status(), 200)
      await page.waitForURL(`**/transaction/${deal.id}`)
      await see(page, 'Payment Successful')
    })
    assert.deepEqual(moves(await deal.ledgerFor(deal.buyer)), ['provider_clearing → hold 127.40'])
  }),

  journey(
    'a card that needs the bank’s confirmation is confirmed on the bank’s page, and the deal is paid',
    async () => {
      const deal = await Deal.open()
      await withBrowsers(browser, 'bank', [{ person: deal.buyer }], async ({ page }) => {
        await page.goto(`/send-funds/${deal.id}`)
        await payWith(page, '4000 0025 0000 3155')
        await page.waitForURL(/\/challenge|3ds|authenticate|sandbox/i)
        await page
          .getByRole('button')
          .filter({ hasText: /confirm|complete|pass|approve/i })
          .first()
          .click()
        await page.waitForURL(`**/transaction/${deal.id}`)
      })
      await deal.reaches('paid')
    },
  ),

  journey('an unknown address shows the 404 page with a link to the home page', () =>
    withBrowsers(browser, 'nowhere', [{ refused: NOWHERE.map(path => `404: GET ${path}`) }], async ({ page }) => {
      for (const path of NOWHERE) {
        await page.goto(path)
        await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
        await see(page, "The page you're looking for doesn't exist or has been moved.")
      }
      await link(page, 'Return Home').click()
      await page.waitForURL(url => url.pathname === '/')
    }),
  ),

  journey('a wrong password and a taken e-mail address are shown on the page, and do not sign in', async () => {
    const person = await Person.signUp('Wanda')
    const refused = ['401: POST /api/auth/signin', '409: POST /api/auth/signup']
    await withBrowsers(browser, 'wrong-password', [{ refused }], async ({ page }) => {
      await page.goto('/auth')
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password').fill('not the password')
      await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
      await see(page, 'Invalid email or password')
      await page.getByRole('tab', { name: 'Sign Up' }).click()
      await fillSignUp(page, { ...person, username: `w.${randomUUID().slice(0, 8)}`, password: PASSWORD })
      await see(page, 'Failed to create account. Email may already be in use.')
      assert.ok(page.url().includes('/auth'))
    })
  }),

  journey('a page that needs a session shows the sign-in form first, and then the page', async () => {
    const person = await Person.signUp('Paula')
    await withBrowsers(browser, 'protected', [{}], async ({ page }) => {
      for (const path of PROTECTED) {
        await page.goto(path)
        await page.getByRole('heading', { name: 'Welcome back' }).waitFor()
        await page.getByLabel('Password').waitFor()
      }
      await page.getByLabel('Email').fill(person.email)
      await page.getByLabel('Password').fill(PASSWORD)
      await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
      await see(page, 'No Purchases Yet')
    })
  }),

  journey(
    'a chat message appears on the other party’s page without a reload, and an unanswered one is sent again',
    async () => {
      const deal = await Deal.at('paid')
      await withBrowsers(
        browser,
        'chat',
        [{ person: deal.buyer }, { person: deal.seller, refused: [TOO_MANY, OFFLINE], mayRefuse: [/^failed: GET /] }],
        async ({ page: buyer }, { page: seller, context }) => {
          await Promise.all([buyer, seller].map(page => page.goto(`/transaction/${deal.id}`)))
          const box = page => page.getByRole('textbox', { name: /message/i })
          await box(buyer).fill('Is it the one with the oak box?')
          await box(buyer).press('Enter')
          await see(seller, 'Is it the one with the oak box?')
          const refusal = { code: 'RATE_LIMITED', message: 'Too many requests. Please wait a moment.' }
          let isRefused = false
          await context.route('**/messages', route => {
            // The page may also read its messages at this moment.
            if (isRefused || route.request().method() !== 'POST') return route.fallback()
            isRefused = true
            return route.fulfill({ status: 429, json: refusal })
          })
          await box(seller).fill('It is, and the key is inside.')
          await box(seller).press('Enter')
          await see(seller, 'Failed to send message')
          assert.equal(await box(seller).inputValue(), 'It is, and the key is inside.', 'the draft is kept')
          await context.setOffline(true)
          await box(seller).press('Enter')
          await see(seller, 'We could not tell whether this was sent.')
          await context.setOffline(false)
          await seller.getByRole('button', { name: 'Send Again' }).click()
          await see(buyer, 'It is, and the key is inside.')
        },
      )
    },
  ),
]

async function signUp(page, firstName) {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const username = `${firstName.toLowerCase()}.${randomBytes(4).toString('hex')}`
  await fillSignUp(page, {
    firstName,
    lastName: 'Journey',
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
  })
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { name: `${firstName} Journey` }).waitFor()
}

async function fillSignUp(page, { firstName, lastName, username, email, password }) {
  await page.getByLabel('First Name').fill(firstName)
  await page.getByLabel('Last Name').fill(lastName)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page
    .locator('form')
    .getByRole('button', { name: /Sign Up|Create Account/ })
    .click()
}

/** Completes the three steps. Resolves with the title, by which the buyer finds the listing. */
async function createListing(page) {
  const title = `Astrolabe ${randomBytes(4).toString('hex')}`
  await page.goto('/create-listing')
  await button(page, 'Skip This Step').click()
  await fillItem(page, {
    title,
    description: 'A brass astrolabe after a Persian model. It works.',
    price: '250',
    category: 'Art',
    condition: 'Excellent',
  })
  const picture = { name: 'astrolabe.png', mimeType: 'image/png', buffer: png(1600, 900, [176, 133, 53]) }
  await page.locator('input[type=file]').setInputFiles(picture)
  await button(page, 'Remove image 1').waitFor()
  await page.getByLabel('Inspection Period').selectOption('3')
  await button(page, 'Continue to Legal Documents').click()
  const create = button(page, 'Create Transaction')
  await create.waitFor()
  assert.equal(await create.isDisabled(), true, 'nothing is created unsigned')
  await signAndCreate(page, 'Selma Journey')
  await page.waitForURL('**/dashboard*')
  return title
}

async function buyAndPay(buyer, seller, title) {
  await buyer.goto(`/browse?q=${encodeURIComponent(title)}`)
  await link(buyer, title).click()
  await button(buyer, 'Buy with Escrow Protection').click()
  await buyer.waitForURL('**/send-funds/*')
  await see(buyer, `Pay ${title}`)
  await see(buyer, '$260.00')
  const id = buyer.url().split('/').at(-1)
  await seller.goto(`/transaction/${id}`)
  await seller.getByRole('heading', { name: title }).waitFor()
  await fillCard(buyer, '4000 0000 0000 0002')
  await button(buyer, 'Pay $260.00').click()
  await see(buyer, 'Payment Failed')
  await fillCard(buyer, '4242 4242 4242 4242')
  await button(buyer, 'Pay $260.00').click()
  await see(buyer, 'Payment Successful')
  await buyer.waitForURL(`**/transaction/${id}`)
  // The seller's page changes without a reload.
  await link(seller, 'Ship Item').waitFor()
}

async function shipAndDeliver(buyer, seller) {
  await link(seller, 'Ship Item').click()
  await seller.waitForURL('**/item-shipped/*')
  await button(seller, 'Save Tracking Info').click()
  await see(seller, 'Please enter a tracking number.')
  const number = trackingNumber()
  await seller.getByLabel(/Tracking Number/).fill(number)
  await seller.getByLabel(/Carrier/).fill('UPS')
  await button(seller, 'Save Tracking Info').click()
  await see(seller, 'Tracking Updated')
  await see(buyer, number)
  await moveParcel(number, 'in_transit')
  await moveParcel(number, 'delivered')
  await button(buyer, 'Accept Item').waitFor()
}

async function accept(buyer, seller) {
  await button(buyer, 'Accept Item').click()
  const dialog = buyer.getByRole('alertdialog')
  await dialog.getByText('$246.25').first().waitFor()
  await dialog.getByRole('button', { name: /^Accept and Release/ }).click()
  await see(buyer, 'Item accepted')
  const id = buyer.url().split('/').at(-1)
  await seller.goto(`/transaction/${id}`)
  for (const page of [buyer, seller]) {
    const ledger = page.getByRole('region', { name: 'Where the money went' })
    for (const amount of ['$260.00', '$246.25', '$13.75']) await ledger.getByText(amount).first().waitFor()
  }
}

async function pressSignOut(page) {
  await button(page, /^Account of/).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(url => url.pathname === '/')
}

/** @param {string[]} trouble what is recorded of the page */
async function signOut(page, trouble) {
  const before = trouble.length
  // The page shows no account at once, and ends the session meanwhile. A new page would break that request off.
  const ended = page.waitForResponse('**/api/auth/logout')
  await pressSignOut(page)
  await ended
  await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).waitFor()
  // What a live event lets the page ask at the moment when its session ends is refused.
  const since = trouble.splice(before)
  trouble.push(...since.filter(entry => !/^401: GET \/api\//.test(entry)))
  await page.goto('/dashboard')
  await page.getByLabel('Password').waitFor()
}

const offer = seller =>
  seller.call('POST', '/api/listings', {
    body: {
      title: 'Music stand, folding',
      description: 'It folds, and it stays up.',
      price: '35.00',
      category: 'Other',
      condition: 'Good',
      inspectionPeriod: 3,
      legalAcceptance: {
        termsAccepted: true,
        escrowAgreement: true,
        harmlessClause: true,
        digitalSignature: 'Kurt Tester',
        signatureDate: new Date().toISOString(),
      },
    },
  })
