import assert from 'node:assert/strict'
import { SANDBOX_URL } from './environment.js'
import { eventually } from './eventually.js'
import { matchOf } from './match.js'

export const GOOD_CARD = '4242424242424242'
export const DECLINED_CARD = '4000000000000002'
/** The card that needs a confirmation on the bank's page. */
export const BANK_CARD = '4000002500003155'

/**
 * Confirms a payment as the payer's browser does, with a test card.
 *
 * @param payment the answer of `POST …/payments`
 * @returns `{ status, body }` of the provider: 402 when the card is declined
 */
export async function confirmCard(payment, number = GOOD_CARD) {
  const asBrowser = { authorization: `Bearer ${payment.publishableKey}` }
  const method = await form('/v1/payment_methods', asBrowser, {
    type: 'card',
    'card[number]': number,
    'card[exp_month]': '11',
    'card[exp_year]': '2035',
    'card[cvc]': '123',
  })
  assert.equal(method.status, 200, JSON.stringify(method.body))
  const [intent] = payment.clientSecret.split('_secret_')
  return form(`/v1/payment_intents/${intent}/confirm`, asBrowser, {
    client_secret: payment.clientSecret,
    payment_method: method.body.id,
  })
}

/** Moves a parcel: accepted, in_transit, out_for_delivery, delivered or lost. */
export async function moveParcel(trackingNumber, status) {
  await control('POST', `/parcels/${encodeURIComponent(trackingNumber)}/move`, { status })
}

/** The provider's payment of a deal. */
export async function paymentOf(transactionId) {
  const payments = await control('GET', '/payments')
  return payments.find(payment => Object.values(payment.metadata).includes(String(transactionId)))
}

/** Lets the buyer's bank dispute the payment of a deal. */
export async function openChargeback(transactionId) {
  const { id } = await paymentOf(transactionId)
  return control('POST', `/payments/${id}/dispute`)
}

/** Lets the bank decide: `won` when we keep the money, `lost` when the buyer gets it. */
export const closeChargeback = ({ id }, outcome) => control('POST', `/disputes/${id}/close`, { outcome })

/** Lets a bank that has decided decide a second time, and otherwise. */
export const decideChargebackAgain = ({ id }) => control('POST', `/disputes/${id}/decide-again`)

/** The page of the mails that the product has sent. */
export const SANDBOX_MAILS = `${SANDBOX_URL}/mails`

/** The page of the texts that the product has sent. */
export const SANDBOX_TEXTS = `${SANDBOX_URL}/texts`

/** The mails to an address, newest first. */
export const mailsTo = address => control('GET', `/mails?to=${encodeURIComponent(address)}`)

/** Calls the sandbox's control API; resolves with the body of its answer. */
export async function control(method, path, body) {
  const response = await fetch(`${SANDBOX_URL}/sandbox${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `the sandbox answered ${response.status} to ${method} ${path}: ${text}`)
  return JSON.parse(text)
}

async function form(path, headers, fields) {
  const response = await fetch(SANDBOX_URL + path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return { status: response.status, body: await response.json() }
}

/** The first mail to an address with this subject, once it has arrived. */
export const mailAbout = (address, subject) =>
  eventually(`a mail "${subject}" has arrived`, async () =>
    (await mailsTo(address)).find(mail => mail.subject === subject),
  )

/** The address of the link in a mail. */
export const linkIn = ({ text }) => matchOf(/https?:\/\/\S+#\S+/, text)

/** Confirms a person's e-mail address with the link that was mailed to it. */
export async function confirmAddress(person) {
  const [, token] = linkIn(await mailAbout(person.email, 'Confirm your e-mail address')).split('#')
  await person.expect(204, 'POST', '/api/auth/verify-email', { body: { token } })
}

/** The first text to a number whose words match, once it has arrived. */
export const textAbout = (number, words) =>
  eventually(`a text ${words} has arrived`, async () =>
    (await control('GET', '/texts')).find(({ to, body }) => to === number && words.test(body)),
  )

/** The six digits of the code that was texted to a number last. */
export const codeTo = async number => matchOf(/^\d{6}/, (await textAbout(number, /is your Holdfast code/)).body)
