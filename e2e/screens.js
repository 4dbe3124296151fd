import { payWith } from './browser/card.js'
import { BANK_CARD, DECLINED_CARD } from './support/sandbox.js'

/**
 * Every screen that is checked: address, state and role. `path` may depend on the deals that `screen-deals.js` prepares.
 * `shows` is a text that appears when the screen is complete, and `prepare` runs after that. `refused` names the one call
 * that must be refused on a screen of a missing thing. `answer` replaces an answer of the server, or
 * changes it by `change`.
 */

/** The answer of a failing server to every call with a matching address. */
const failing = to => ({ to, status: 500, json: { code: 'INTERNAL', message: 'Something went wrong on our side.' } })

/** The deal whose item did not arrive in time. Its date takes 14 days at least, so the server's answer is changed. */
const overdue = action => ({
  to: /\/api\/transactions\/\d+$/,
  change: shown => ({ ...shown, status: 'disputed', actions: [action], clock: null, turn: null }),
})

const deal = status => deals => `/transaction/${deals[status].id}`

/** Without a session. */
const VISITOR = [
  { name: 'landing', path: '/', shows: 'Start Transaction' },
  { name: 'sign in', path: '/auth', shows: 'Password' },
  { name: 'sign up', path: '/auth?tab=sign-up', shows: 'First Name' },
  { name: 'browse', path: '/browse', shows: 'Browse' },
  { name: 'browse, nothing found', path: '/browse?q=zzzzqqqq', shows: /no|nothing/i },
  { name: 'listing', path: deals => `/listing/${deals.active.id}`, shows: 'Sign In to Purchase' },
  {
    name: 'listing, not found',
    path: '/listing/999999999',
    shows: 'Listing Not Found',
    // The page itself is also 404.
    refused: /^404: GET (\/listing|\/api\/listings)\/999999999$/,
  },
  {
    name: 'browse, load failed',
    path: '/browse',
    shows: 'The items could not be loaded',
    answer: failing(/\/api\/listings\?/),
  },
  {
    name: 'listing, load failed',
    path: deals => `/listing/${deals.active.id}`,
    shows: 'The listing could not be loaded',
    answer: failing(/\/api\/listings\//),
  },
  {
    name: 'session, load failed',
    path: '/dashboard',
    shows: 'We could not find out whether you are signed in',
    answer: failing(/\/api\/auth\/user/),
  },
  { name: 'how it works', path: '/platform' },
  { name: 'support', path: '/support' },
  { name: 'support, guides', path: '/support?tab=guides' },
  { name: 'support, contact', path: '/support?tab=contact' },
  { name: 'legal', path: '/legal?tab=terms' },
  { name: 'legal, privacy', path: '/legal?tab=privacy' },
  { name: 'legal, escrow', path: '/legal?tab=escrow' },
  { name: 'legal, disputes', path: '/legal?tab=disputes' },
  { name: 'legal, compliance', path: '/legal?tab=compliance' },
  { name: 'dispute resolution', path: '/dispute-resolution' },
  { name: 'enterprise', path: '/enterprise' },
  { name: 'invitation that is none', path: '/invitation/none', refused: /^404: GET \/api\/invitation/ },
  { name: 'nowhere', path: '/nowhere', shows: 'Page Not Found', refused: '404: GET /nowhere' },
  { name: 'dashboard, signed out', path: '/dashboard', shows: 'Password' },
  { name: 'start a transaction, signed out', path: '/create-listing', shows: 'Sign In Required' },
  { name: 'profile, signed out', path: '/profile', shows: 'Please sign in to view your profile.' },
  { name: 'messages, signed out', path: '/messages', shows: 'Password' },
  { name: 'disputes, signed out', path: '/disputes', shows: 'Please sign in to view your disputes.' },
  { name: 'upgrade, signed out', path: '/upgrade', shows: 'Password' },
  { name: 'transaction, signed out', path: deal('paid'), shows: 'Password' },
  { name: 'checkout, signed out', path: deals => `/checkout/${deals.paid.id}`, shows: 'Password' },
]

/** A user who has just opened an account. */
const NEWCOMER = [
  { name: 'landing, signed in', path: '/', shows: 'Start Transaction' },
  { name: 'dashboard, empty', path: '/dashboard', shows: 'No Completed Transactions' },
  { name: 'selling, empty', path: '/dashboard?tab=selling', shows: 'No Sales Yet' },
  { name: 'buying, empty', path: '/dashboard?tab=buying', shows: 'No Purchases Yet' },
  { name: 'wizard, find a user', path: '/create-listing', shows: 'Skip This Step' },
  { name: 'wizard, details', path: '/create-listing', shows: 'Skip This Step', prepare: toDetails },
  { name: 'wizard, details with mistakes', path: '/create-listing', shows: 'Skip This Step', prepare: toMistakes },
  { name: 'wizard, legal documents', path: '/create-listing', shows: 'Skip This Step', prepare: toLegal },
  { name: 'messages, empty', path: '/messages' },
  { name: 'disputes, empty', path: '/disputes' },
  { name: 'file a dispute, empty', path: '/file-dispute' },
  { name: 'profile', path: '/profile' },
  { name: 'verification', path: '/verification' },
  { name: 'upgrade', path: '/upgrade' },
  { name: 'subscribe', path: '/subscribe' },
]

const BUYER = [
  { name: 'dashboard', path: '/dashboard', shows: 'Total Spent' },
  {
    name: 'dashboard, load failed',
    path: '/dashboard',
    shows: 'Error Loading Dashboard',
    answer: failing(/\/api\/transactions\b/),
  },
  { name: 'buying', path: '/dashboard?tab=buying', shows: 'Your Purchases' },
  { name: 'listing to buy', path: deals => `/listing/${deals.active.id}`, shows: 'Buy with Escrow Protection' },
  { name: 'transaction, pending', path: deal('pending'), shows: 'Send Funds' },
  { name: 'transaction, paid', path: deal('paid') },
  { name: 'transaction, handed over', path: deal('in_progress'), shows: 'Confirm Delivery' },
  { name: 'transaction, shipped', path: deal('shipped'), shows: 'Shipping and Tracking' },
  { name: 'transaction, shipped as is', path: deal('asIs'), shows: 'Confirm Delivery' },
  {
    name: 'confirming the delivery of what is sold as is',
    path: deal('asIs'),
    shows: 'Confirm Delivery',
    prepare: page => press(page, 'Confirm Delivery'),
  },
  { name: 'transaction, inspection', path: deal('inspection'), shows: 'Accept Item' },
  { name: 'accepting', path: deal('inspection'), shows: 'Accept Item', prepare: page => press(page, 'Accept Item') },
  { name: 'transaction, completed', path: deal('completed'), shows: 'Where the money went' },
  { name: 'transaction, refunded', path: deal('cancelled') },
  { name: 'transaction, disputed', path: deal('disputed') },
  {
    name: 'transaction, overdue',
    path: deal('shipped'),
    shows: 'Confirm Delivery',
    answer: overdue('confirm_delivery'),
  },
  {
    name: 'transaction, live updates interrupted',
    path: deal('inspection'),
    shows: 'Live updates are interrupted',
    answer: failing(/\/api\/events$/),
  },
  {
    name: 'transaction, not found',
    path: '/transaction/999999999',
    shows: 'Transaction Not Found',
    refused: '404: GET /api/transactions/999999999',
  },
  {
    name: 'transaction, load failed',
    path: deal('paid'),
    shows: 'The transaction could not be loaded',
    answer: failing(/\/api\/transactions\/\d+$/),
  },
  { name: 'checkout', path: deals => `/checkout/${deals.pending.id}`, shows: 'Card Number' },
  { name: 'payment by card', path: deals => `/send-funds/${deals.pending.id}`, shows: 'Card Number' },
  {
    name: 'payment by bank',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Card Number',
    prepare: page => choose(page, 'Bank'),
  },
  {
    name: 'payment by crypto',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Card Number',
    prepare: page => choose(page, 'Crypto'),
  },
  {
    name: 'payment, with mistakes',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Card Number',
    prepare: page => press(page, /^Pay \$/),
  },
  {
    name: 'payment, card declined',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Card Number',
    prepare: toDeclined,
    refused: /^402: POST .*\/confirm$/,
  },
  {
    name: 'payment, refused on the bank’s page',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Card Number',
    prepare: toRefusedByBank,
  },
  {
    name: 'payment, processing',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Processing...',
    answer: { to: /\/v1\/payment_intents\//, status: 200, json: { status: 'processing' } },
  },
  {
    name: 'payment, outcome unknown',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'We do not know yet whether your card was charged',
    answer: failing(/\/v1\/payment_intents\//),
  },
  {
    name: 'payment, provider away',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Paying is not possible right now',
    answer: failing(/\/api\/transactions\/\d+\/payments/),
  },
  {
    name: 'payment, load failed',
    path: deals => `/send-funds/${deals.pending.id}`,
    shows: 'Error loading transaction',
    answer: failing(/\/api\/transactions\/\d+$/),
  },
  { name: 'payment, nothing to pay', path: deals => `/send-funds/${deals.paid.id}`, shows: 'View Transaction' },
  { name: 'item shipped', path: deals => `/item-shipped/${deals.shipped.id}`, shows: 'Tracking Status' },
  { name: 'messages', path: '/messages' },
  { name: 'disputes', path: '/disputes' },
  { name: 'file a dispute', path: '/file-dispute' },
  {
    name: 'disputes, load failed',
    path: '/disputes',
    shows: 'Your disputes could not be loaded',
    answer: failing(/\/api\/disputes\//),
  },
]

const SELLER = [
  { name: 'selling', path: '/dashboard?tab=selling', shows: 'Your Sales' },
  { name: 'own listing', path: deals => `/listing/${deals.active.id}`, shows: 'This is your listing' },
  {
    name: 'own listing, editing',
    path: deals => `/listing/${deals.active.id}`,
    shows: 'This is your listing',
    prepare: toEdit,
  },
  {
    name: 'own listing, editing with mistakes',
    path: deals => `/listing/${deals.active.id}`,
    shows: 'This is your listing',
    prepare: toEditMistakes,
  },
  {
    name: 'own listing, taking off sale',
    path: deals => `/listing/${deals.active.id}`,
    shows: 'This is your listing',
    prepare: page => press(page, 'Take off Sale'),
  },
  { name: 'own listing, off sale', path: deals => `/listing/${deals.offSale.id}`, shows: 'Offer Again' },
  {
    name: 'own listing, in a transaction',
    path: deals => `/listing/${deals.shipped.listing.id}`,
    shows: 'View Transaction',
  },
  { name: 'transaction, pending', path: deal('pending') },
  { name: 'transaction, paid', path: deal('paid'), shows: 'Ship Item' },
  { name: 'refunding', path: deal('paid'), shows: 'Refund in Full', prepare: page => press(page, 'Refund in Full') },
  { name: 'transaction, shipped', path: deal('shipped') },
  { name: 'transaction, inspection', path: deal('inspection') },
  { name: 'transaction, completed', path: deal('completed'), shows: 'Where the money went' },
  { name: 'transaction, disputed', path: deal('disputed') },
  {
    name: 'transaction, overdue',
    path: deal('shipped'),
    shows: 'Refund in Full',
    answer: overdue('refund'),
  },
  { name: 'payment is the buyer’s', path: deals => `/send-funds/${deals.pending.id}`, shows: 'View Transaction' },
  { name: 'item to ship', path: deals => `/item-shipped/${deals.paid.id}`, shows: 'Save Tracking Info' },
  { name: 'item shipped', path: deals => `/item-shipped/${deals.shipped.id}`, shows: 'Tracking Status' },
]

/** A mediator has no screens of their own yet: they see the public screens, and no deal. */
const ADMIN = [
  { name: 'dashboard', path: '/dashboard', shows: 'No Completed Transactions' },
  { name: 'listing', path: deals => `/listing/${deals.active.id}`, shows: 'Buy with Escrow Protection' },
  { name: 'disputes', path: '/disputes' },
  { name: 'profile', path: '/profile' },
  {
    name: 'transaction of others',
    path: deal('disputed'),
    shows: 'Transaction Not Found',
    refused: /^404: GET \/api\/transactions\/\d+$/,
  },
]

export const SCREENS = { visitor: VISITOR, newcomer: NEWCOMER, buyer: BUYER, seller: SELLER, admin: ADMIN }

const press = (page, name) => page.getByRole('button', { name }).first().click()
const choose = (page, name) => page.getByText(name, { exact: true }).first().click()

async function toDetails(page) {
  await press(page, 'Skip This Step')
  await page.getByLabel('Title').waitFor()
}

async function toDeclined(page) {
  await payWith(page, DECLINED_CARD)
  await page.getByRole('alert').getByText('Payment Failed').waitFor()
}

async function toRefusedByBank(page) {
  await payWith(page, BANK_CARD)
  await press(page, 'No, refuse')
  await page.getByText('Payment Failed').first().waitFor()
  await page.getByLabel('Card Number').waitFor()
}

async function toEdit(page) {
  await press(page, 'Edit')
  await page.getByRole('dialog').getByLabel('Title').waitFor()
}

async function toEditMistakes(page) {
  await toEdit(page)
  await page.getByLabel('Title').fill('')
  await page.getByLabel('Price (USD)').fill('0')
  await press(page, 'Save Changes')
}

async function toMistakes(page) {
  await toDetails(page)
  await press(page, 'Continue to Legal Documents')
}

async function toLegal(page) {
  await toDetails(page)
  await page.getByLabel('Title').fill('A sextant')
  await page.getByLabel('Description').fill('It points to where you are.')
  await page.getByLabel('Price (USD)').fill('120')
  await page.getByLabel('Category').selectOption('Other')
  await page.getByLabel('Condition').selectOption('Good')
  await press(page, 'Continue to Legal Documents')
  await page.getByLabel('Digital Signature').waitFor()
}
