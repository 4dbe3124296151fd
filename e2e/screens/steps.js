import { payWith } from '../browser/card.js'
import { BANK_CARD, DECLINED_CARD, GOOD_CARD } from '../support/sandbox.js'
import { WALLET } from '../support/wallet.js'

/** The steps from an opened page to one of its states. Each gets the page. */

export const press = name => page => pressOn(page, name)

export const choose = name => page => page.getByText(name, { exact: true }).first().click()

export async function toBankDetails(page) {
  await choose('Bank')(page)
  await pressOn(page, 'Show Bank Details')
}

const toWallet = address => async page => {
  await choose('Crypto')(page)
  await page.getByLabel('Wallet Address').fill(address)
  await pressOn(page, 'Show Amount and Address')
}

export const toWrongWallet = toWallet('bc1qexample')

export const toCryptoAddress = toWallet(WALLET)

export async function toSecondStep(page) {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a password')
  await page.locator('form').getByRole('button', { name: 'Sign In' }).click()
}

export const toDetails = page => pressOn(page, 'Skip This Step')

export const toDeclined = page => payWith(page, DECLINED_CARD)

export async function toRefusedByBank(page) {
  await payWith(page, BANK_CARD)
  await pressOn(page, 'No, refuse')
}

export const toEdit = page => pressOn(page, 'Edit')

export async function toEditMistakes(page) {
  await toEdit(page)
  await page.getByLabel('Title').fill('')
  await page.getByLabel('Price (USD)').fill('0')
  await pressOn(page, 'Save Changes')
}

export async function toEditPrice(page) {
  await toEdit(page)
  await page.getByLabel('Price (USD)').fill('4500.00')
}

export async function toMistakes(page) {
  await toDetails(page)
  await pressOn(page, 'Continue to Legal Documents')
}

export async function toLegal(page) {
  await toDetails(page)
  await page.getByLabel('Title').fill('A sextant')
  await page.getByLabel('Description').fill('It points to where you are.')
  await page.getByLabel('Price (USD)').fill('120')
  await page.getByLabel('Category').selectOption('Other')
  await page.getByLabel('Condition').selectOption('Good')
  await pressOn(page, 'Continue to Legal Documents')
}

export async function toPartialRuling(page) {
  await page.getByText('Partial refund', { exact: true }).click()
  await page.getByLabel('What Beatrice gets back').fill('40')
}

export async function toReviewedRuling(page) {
  await page.getByText('Full refund', { exact: true }).click()
  await page.getByLabel('Reasons').fill('The glass is broken.')
  await pressOn(page, 'Review the Ruling')
}

/** Sends a card after the payment was closed, of which the page has not heard. */
export async function toClosedPayment(page) {
  const intents = /\/v1\/payment_intents\//
  await page.route(intents, route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, json: { error: { message: 'This payment was canceled.' } } })
      : route.fulfill({ status: 200, json: { status: 'canceled' } }),
  )
  await payWith(page, GOOD_CARD)
  await page.getByText('This payment was closed').waitFor()
  await page.unroute(intents)
}

/** Asks for what needs a proof of the person, as in a session that has given none for a while. */
export async function toProof(page) {
  const account = /\/api\/payout-account$/
  await page.route(account, route =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 403,
          json: {
            ...{ code: 'CONFIRMATION_REQUIRED', message: '', error: '', requestId: '' },
            details: { methods: ['password'] },
          },
        })
      : route.continue(),
  )
  await pressOn(page, 'Add Payout Account')
  await page.getByText('Confirm that it is you').waitFor()
  await page.unroute(account)
}

/** As after a sign-out to which the server gave no answer. */
export async function toFailedSignOut(page) {
  await page.evaluate(() =>
    localStorage.setItem('holdfast:sign-out', JSON.stringify({ sessionId: null, hasFailed: true })),
  )
  await page.reload()
}

/** The next page shows accounts again. */
export const forgetSignOut = page => page.evaluate(() => localStorage.removeItem('holdfast:sign-out'))

export async function toNoConversation(page) {
  await page.getByLabel('Search').fill('zzzzqqqq')
}

const pressOn = (page, name) => page.getByRole('button', { name }).first().click()
