import assert from 'node:assert/strict'
import { Deal, trackingNumber } from '../support/deal.js'
import { PASSWORD, Person } from '../support/person.js'
import { png } from '../support/picture.js'
import { journey } from '../support/runner.js'
import { moveParcel } from '../support/sandbox.js'
import { chooseByKey, hasFocus, pressByKey, reach, reachByTab, typeByKey } from './keyboard.js'
import { see, UNKNOWN_PARCEL, withBrowsers } from './visit.js'

const PEOPLE = { mayRefuse: [UNKNOWN_PARCEL] }

/** The whole product with the keys alone: no step of these journeys uses a pointer. A screen reader gets its words on the way. */
export const keyboardJourneys = browser => [
  journey(
    'a whole deal is made with the keyboard alone, from the account to the review, and a screen reader hears each step',
    async () => {
      const buyer = await Person.signUp('Kim')
      await withBrowsers(
        browser,
        'by-keys',
        [PEOPLE, { ...PEOPLE, person: buyer }],
        async ({ page: selling, context }, { page: buying }) => {
          await context.grantPermissions(['clipboard-read', 'clipboard-write'])
          await openAccount(selling)
          const title = await listItem(selling)
          const id = await buyAndPay(buying, title)
          await ship(selling, buying, id)
          await accept(buying)
          await review(buying)
        },
      )
    },
  ),

  journey(
    'a dispute is filed, a chat is written, menus are used and settings are changed by the keys alone',
    async () => {
      const deal = await Deal.at('shipped')
      await withBrowsers(browser, 'keys-dispute', [{ ...PEOPLE, person: deal.buyer }], async ({ page }) => {
        await page.goto(`/transaction/${deal.id}`)
        await chat(page)
        await file(page)
        await useMenus(page)
        await changeSettings(page)
      })
    },
  ),
]

/** Skips to the content, chooses the tab with an arrow key, and pastes the password (3.3.8). */
async function openAccount(page) {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign In' }).waitFor()
  await pressByKey(page, 'link', 'Skip to content')
  await hasFocus(page.getByRole('main'), 'the content after the skip link')
  await reachByTab(page, 'tab', 'Sign In')
  await page.keyboard.press('ArrowRight')
  await hasFocus(page.getByRole('tab', { name: 'Sign Up', selected: true }), 'the tab that the arrow key chose')
  const username = `kurt.${Date.now().toString(36)}`
  const account = { 'First Name': 'Kurt', 'Last Name': 'Keys', Username: username, Email: `${username}@example.com` }
  await typeByKey(page, account)
  await page.evaluate(text => navigator.clipboard.writeText(text), PASSWORD)
  await reachByTab(page, 'textbox', 'Password')
  await page.keyboard.press('Control+V')
  assert.equal(await page.getByLabel('Password').inputValue(), PASSWORD, 'a password can be pasted')
  await page.keyboard.press('Enter')
  await hears(page, 'Account created successfully!')
  await page.waitForURL('**/dashboard')
}

/** Goes through the wizard. Each step begins with the focus on its heading. */
async function listItem(page) {
  const title = `Theodolite ${Date.now().toString(36)}`
  await pressByKey(page, 'link', 'Start Transaction')
  await page.getByRole('heading', { name: 'Start New Transaction' }).waitFor()
  await hasFocus(page.getByRole('main'), 'the content of the new page')
  await pressByKey(page, 'button', 'Skip This Step')
  await begins(page, 'Details')
  await typeByKey(page, { Title: title, Description: 'A theodolite with its case.', 'Price (USD)': '250' })
  await chooseByKey(page, 'Category', 'Other')
  await chooseByKey(page, 'Condition', 'Good')
  await addPicture(page)
  await chooseByKey(page, 'Inspection Period', '3 days')
  await pressByKey(page, 'button', 'Continue to Legal Documents')
  await begins(page, 'Legal Documents')
  await page.getByLabel('Digital Signature').waitFor()
  for (const box of await page.getByRole('checkbox').all()) {
    await reach(page, box, 'an agreement')
    await page.keyboard.press('Space')
  }
  await typeByKey(page, { 'Digital Signature': 'Kurt Keys' })
  await pressByKey(page, 'button', 'Create Transaction')
  await hears(page, 'Listing created')
  await page.waitForURL('**/dashboard*')
  return title
}

/** The button opens the browser's own window for files, which is no part of the page. */
async function addPicture(page) {
  // The browser must know that we wait before the key reaches it, and that takes a moment on a busy machine.
  const opened = page.waitForEvent('filechooser')
  // When the control cannot be reached, that is the failure.
  opened.catch(() => {})
  await reach(page, page.locator('input[type=file]'), 'Add Images')
  await page.keyboard.press('Space')
  const window = await opened
  await window.setFiles({ name: 'theodolite.png', mimeType: 'image/png', buffer: png(600, 400, [176, 133, 53]) })
  await reachByTab(page, 'button', 'Remove image 1')
}

async function buyAndPay(page, title) {
  await page.goto('/browse')
  await reachByTab(page, 'searchbox', 'Search items')
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
  await pressByKey(page, 'link', title)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await pressByKey(page, 'button', 'Buy with Escrow Protection')
  await page.waitForURL('**/send-funds/*')
  const id = page.url().split('/').at(-1)
  await typeByKey(page, {
    'Card Number': '4242424242424242',
    'Expiry (MM/YY)': '1234',
    CVV: '123',
    'Cardholder Name': 'Kim Keys',
  })
  await pressByKey(page, 'button', 'Pay $260.00')
  await hears(page, 'Payment Successful')
  await page.waitForURL(`**/transaction/${id}`)
  return id
}

/** The seller finds the deal by the bell. The buyer's page says what happened without a reload. */
async function ship(selling, buying, id) {
  const bell = selling.getByRole('button', { name: /^Notifications, \d+ unread$/ })
  await reach(selling, bell, 'the bell')
  await selling.keyboard.press('ArrowDown')
  const menu = selling.getByRole('menu', { name: 'Notifications' })
  await menu.getByRole('menuitem').filter({ hasText: 'Payment held' }).first().waitFor()
  await selling.keyboard.press('Escape')
  await hasFocus(selling.getByRole('button', { name: /^Notifications/ }), 'the bell after Escape')
  await selling.goto(`/transaction/${id}`)
  await pressByKey(selling, 'link', 'Ship Item')
  await selling.waitForURL('**/item-shipped/*')
  const number = trackingNumber()
  await typeByKey(selling, { 'Tracking Number (optional)': number })
  await reach(selling, selling.getByLabel(/^Carrier/), 'the carrier')
  await selling.keyboard.type('UPS')
  await pressByKey(selling, 'button', 'Save Tracking Info')
  await hears(selling, 'Tracking Updated')
  await buying.getByRole('status').filter({ hasText: 'Shipped' }).first().waitFor()
  await buying.getByRole('log', { name: 'Conversation' }).getByText(number).first().waitFor()
  await moveParcel(number, 'in_transit')
  await moveParcel(number, 'delivered')
}

/** Escape leaves the question unanswered and gives the focus back; the keyboard cannot leave the question otherwise. */
async function accept(page) {
  const button = page.getByRole('button', { name: 'Accept Item' })
  await pressByKey(page, 'button', 'Accept Item')
  const dialog = page.getByRole('alertdialog')
  const back = dialog.getByRole('button', { name: 'Go Back' })
  await back.waitFor()
  await hasFocus(back, 'the answer that changes nothing')
  for (let presses = 0; presses < 4; presses++) {
    await page.keyboard.press('Tab')
    assert.ok(await dialog.evaluate(box => box.contains(document.activeElement)), 'the focus stays in the question')
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await hasFocus(button, 'the button that asked')
  await page.keyboard.press('Enter')
  await pressByKey(page, 'button', /^Accept and Release/)
  await hears(page, 'Item accepted')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('status').filter({ hasText: 'Completed' }).first().waitFor()
  await button.waitFor({ state: 'detached' })
  // The focus is not lost with the button that is gone.
  await page.waitForFunction(() => document.activeElement !== document.body)
}

async function review(page) {
  const stars = page.getByRole('radio', { name: '1', exact: true })
  await reach(page, stars, 'the stars')
  await page.keyboard.press('Space')
  for (let star = 1; star < 4; star++) await page.keyboard.press('ArrowRight')
  assert.equal(
    await page.getByRole('radio', { name: '4', exact: true }).isChecked(),
    true,
    'arrow keys choose the stars',
  )
  await typeByKey(page, { 'Your words (optional)': 'Quick and friendly.' })
  await pressByKey(page, 'button', 'Publish Review')
  await hears(page, 'Review published')
  await see(page, 'Quick and friendly.')
}

async function chat(page) {
  const box = page.getByRole('textbox', { name: /message/i })
  await reach(page, box, 'the box to write in')
  await page.keyboard.type('Is the key inside?')
  await page.keyboard.press('Enter')
  await page.getByRole('log', { name: 'Conversation' }).getByText('Is the key inside?').waitFor()
  await hasFocus(box, 'the box after sending')
}

async function file(page) {
  await page.goto(page.url())
  await pressByKey(page, 'link', 'File a dispute')
  await pressByKey(page, 'button', 'Continue')
  await begins(page, 'Dispute Details')
  await chooseByKey(page, 'Reason', 'Item damaged')
  await typeByKey(page, { Description: 'The mirror is cracked.' })
  await pressByKey(page, 'button', 'Review')
  await begins(page, 'Review & Submit')
  await pressByKey(page, 'button', 'Submit Dispute')
  await hears(page, 'Dispute filed successfully')
  await page.waitForURL('**/disputes')
}

/** Arrow keys and letters move through the menu of the account, and Escape gives the focus back. */
async function useMenus(page) {
  const account = page.getByRole('button', { name: /^Account of/ })
  await reach(page, account, 'the menu of the account')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Dashboard' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await hasFocus(account, 'the menu’s button after Escape')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Profile' }).waitFor()
  await page.keyboard.type('P')
  await hasFocus(page.getByRole('menuitem', { name: 'Profile' }), 'the entry of the menu with this letter')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/profile')
}

async function changeSettings(page) {
  await reachByTab(page, 'textbox', 'Last Name')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Keys')
  await pressByKey(page, 'button', 'Save Changes')
  await hears(page, 'Profile Updated')
  const setting = page.getByRole('switch', { name: 'Marketing emails' })
  await reach(page, setting, 'a setting')
  await page.keyboard.press('Space')
  await hears(page, 'Notification Settings Updated')
  assert.equal(await setting.isChecked(), true)
}

/** Waits until a screen reader is given these words: they are in a live region. It keeps them for a second. */
const hears = (page, words) =>
  page
    .locator('[role="status"][aria-live], [role="alert"], [aria-live="assertive"]')
    .filter({ hasText: words })
    .first()
    .waitFor({ state: 'attached' })

/** Waits for a step of a wizard, whose heading has the focus. */
async function begins(page, step) {
  const heading = page.getByRole('heading', { level: 2, name: step, exact: true })
  await heading.waitFor()
  await page.waitForFunction(element => element === document.activeElement, await heading.elementHandle())
}
