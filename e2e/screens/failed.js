import { deal, disputeCase, failing, LEDGER } from './parts.js'
import { toDetails } from './steps.js'

/** Screens of which a part, or everything, could not be loaded. Those that `parts.js` needs elsewhere are in the list of their role. */

const AGAIN = 'Try Again'

export const BUYER_FAILED = [
  {
    name: 'transaction, parts failed',
    path: deal('paid'),
    shows: ['The messages could not be loaded', 'The movements could not be loaded', 'The history could not be loaded'],
    answer: failing(/\/api\/transactions\/\d+\/(messages|ledger|timeline)/),
  },
  {
    name: 'transaction, reviews failed',
    path: deal('completed'),
    shows: ['The reviews could not be loaded', LEDGER],
    answer: failing(/\/api\/transactions\/\d+\/review/),
  },
  {
    name: 'dashboard, figures failed',
    path: '/dashboard',
    shows: ['The figures could not be loaded', AGAIN],
    answer: failing(/\/api\/transactions\/summary/),
  },
  {
    name: 'case, load failed',
    path: disputeCase,
    shows: ['The dispute could not be loaded', AGAIN],
    answer: failing(/\/api\/disputes\/\d+$/),
  },
  {
    name: 'file a dispute, load failed',
    path: '/file-dispute',
    shows: ['Your transactions could not be loaded', AGAIN],
    answer: failing(/\/api\/disputes\/user/),
  },
  {
    name: 'item shipped, load failed',
    path: deals => `/item-shipped/${deals.shipped.id}`,
    shows: ['Error loading transaction', AGAIN],
    answer: failing(/\/api\/transactions\/\d+$/),
  },
  {
    name: 'item shipped, carrier away',
    path: deals => `/item-shipped/${deals.shipped.id}`,
    shows: ['The carrier could not be asked', AGAIN],
    answer: failing(/\/api\/tracking\//),
  },
  {
    name: 'profile, parts failed',
    path: '/profile',
    shows: ['The sessions could not be loaded', 'The notification settings could not be loaded'],
    answer: failing(/\/api\/(auth\/sessions|notifications\/settings)/),
  },
  {
    name: 'profile, contacts failed',
    path: '/profile?tab=contacts',
    shows: ['Your contacts could not be loaded', AGAIN],
    answer: failing(/\/api\/contacts/),
  },
]

export const SELLER_FAILED = [
  {
    name: 'profile, payments failed',
    path: '/profile?tab=payments',
    shows: ['Your payouts could not be loaded', AGAIN],
    answer: failing(/\/api\/payouts/),
  },
  {
    name: 'own private listing, invitations failed',
    path: deals => `/listing/${deals.hidden.id}`,
    shows: ['The invitations could not be loaded', AGAIN],
    answer: failing(/\/api\/listings\/\d+\/invitations/),
  },
  {
    name: 'selling, listings failed',
    path: '/dashboard?tab=selling',
    shows: ['Your listings could not be loaded', AGAIN],
    answer: failing(/\/api\/listings/),
  },
]

export const VISITOR_FAILED = [
  {
    name: 'seller, load failed',
    path: deals => `/seller/${deals.completed.seller.username}`,
    shows: ['The seller could not be loaded', AGAIN],
    answer: failing(/\/api\/sellers\//),
  },
  {
    name: 'seller, parts failed',
    path: deals => `/seller/${deals.completed.seller.username}`,
    shows: ['The items could not be loaded', 'The reviews could not be loaded'],
    answer: failing(/\/api\/(listings\?|users\/[^/]+\/reviews)/),
  },
]

export const NEWCOMER_FAILED = [
  {
    name: 'wizard, search failed',
    path: '/create-listing',
    shows: 'Skip This Step',
    prepare: page => page.getByRole('combobox', { name: 'Search for a user' }).fill('sebastian'),
    reveals: 'The search failed',
    answer: failing(/\/api\/users\/search/),
  },
  {
    name: 'wizard, no user found',
    path: '/create-listing',
    shows: 'Skip This Step',
    prepare: page => page.getByRole('combobox', { name: 'Search for a user' }).fill('zzzzqqqq'),
    reveals: 'No users found matching "zzzzqqqq"',
  },
  {
    name: 'wizard, as buyer without a seller',
    path: '/create-listing',
    shows: 'Skip This Step',
    prepare: async page => {
      await toDetails(page)
      await page.getByRole('radio', { name: 'Buyer' }).check()
    },
    reveals: 'As a buyer you need to choose the seller first.',
  },
]

/** Every list of the console, whose call fails. */
export const CONSOLE_FAILED = Object.entries({
  approvals: 'The requests could not be loaded',
  refunds: 'The refunds could not be loaded',
  payouts: 'The payouts could not be loaded',
  stuck: 'The cases could not be loaded',
  'dead-letters': 'The dead letters could not be loaded',
  'provider-events': 'The events could not be loaded',
  ledger: 'The trial balance could not be loaded',
  users: 'The users could not be loaded',
  verifications: 'The verifications could not be loaded',
  enquiries: 'The enquiries could not be loaded',
  audit: 'The acts could not be loaded',
}).map(([page, words]) => ({
  name: `${page}, load failed`,
  path: `/admin/${page}`,
  shows: [words, AGAIN],
  answer: failing(/\/api\/admin\//),
}))
