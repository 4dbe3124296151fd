/**
 * Every screen worth a look: route, state and role. `of` says who looks; `path` may need the deals that `screen-deals.js`
 * prepares; `shows` is a word that is there once the screen is complete; `refused` names the one call that a screen of
 * something missing must be refused.
 */

const deal = status => deals => `/transaction/${deals[status].id}`

/** Before anybody signs in. */
const VISITOR = [
  { name: 'landing', path: '/', shows: 'Start Transaction' },
  { name: 'sign in', path: '/auth', shows: 'Password' },
  { name: 'browse', path: '/browse', shows: 'Browse' },
  { name: 'browse, nothing found', path: '/browse?q=zzzzqqqq', shows: /no|nothing/i },
  { name: 'listing', path: deals => `/listing/${deals.active.id}`, shows: 'Sign In to Purchase' },
  {
    name: 'listing, not found',
    path: '/listing/999999999',
    shows: 'Listing Not Found',
    refused: '404: GET /api/listings/999999999',
  },
  { name: 'how it works', path: '/platform' },
  { name: 'support', path: '/support' },
  { name: 'legal', path: '/legal' },
  { name: 'dispute resolution', path: '/dispute-resolution' },
  { name: 'enterprise', path: '/enterprise' },
  { name: 'invitation that is none', path: '/invitation/none', refused: /^404: GET \/api\/invitation/ },
  { name: 'nowhere', path: '/nowhere', shows: 'Page Not Found' },
  { name: 'dashboard, signed out', path: '/dashboard', shows: 'Password' },
  { name: 'start a transaction, signed out', path: '/create-listing', shows: 'Sign In Required' },
  { name: 'profile, signed out', path: '/profile', shows: 'Please sign in to view your profile.' },
]

/** Somebody who has just opened an account. */
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
  { name: 'buying', path: '/dashboard?tab=buying', shows: 'Your Purchases' },
  { name: 'listing to buy', path: deals => `/listing/${deals.active.id}`, shows: 'Buy with Escrow Protection' },
  { name: 'transaction, pending', path: deal('pending'), shows: 'Send Funds' },
  { name: 'transaction, paid', path: deal('paid') },
  { name: 'transaction, handed over', path: deal('in_progress'), shows: 'Confirm Delivery' },
  { name: 'transaction, shipped', path: deal('shipped'), shows: 'Shipping and Tracking' },
  { name: 'transaction, inspection', path: deal('inspection'), shows: 'Accept Item' },
  { name: 'accepting', path: deal('inspection'), shows: 'Accept Item', prepare: page => press(page, 'Accept Item') },
  { name: 'transaction, completed', path: deal('completed'), shows: 'Where the money went' },
  { name: 'transaction, refunded', path: deal('cancelled') },
  { name: 'transaction, disputed', path: deal('disputed') },
  {
    name: 'transaction, not found',
    path: '/transaction/999999999',
    shows: 'Transaction Not Found',
    refused: '404: GET /api/transactions/999999999',
  },
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
  { name: 'payment, nothing to pay', path: deals => `/send-funds/${deals.paid.id}`, shows: 'View Transaction' },
  { name: 'item shipped', path: deals => `/item-shipped/${deals.shipped.id}`, shows: 'Tracking Status' },
  { name: 'messages', path: '/messages' },
  { name: 'disputes', path: '/disputes' },
  { name: 'file a dispute', path: '/file-dispute' },
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
  { name: 'payment is the buyer’s', path: deals => `/send-funds/${deals.pending.id}`, shows: 'View Transaction' },
  { name: 'item to ship', path: deals => `/item-shipped/${deals.paid.id}`, shows: 'Save Tracking Info' },
  { name: 'item shipped', path: deals => `/item-shipped/${deals.shipped.id}`, shows: 'Tracking Status' },
]

export const SCREENS = { visitor: VISITOR, newcomer: NEWCOMER, buyer: BUYER, seller: SELLER }

const press = (page, name) => page.getByRole('button', { name }).first().click()
const choose = (page, name) => page.getByText(name, { exact: true }).first().click()

async function toDetails(page) {
  await press(page, 'Skip This Step')
  await page.getByLabel('Title').waitFor()
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
