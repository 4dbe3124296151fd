import { failing } from './parts.js'
import { forgetSignOut, press, toFailedSignOut, toSecondStep } from './steps.js'

/** The price of an item in a list. */
const PRICE = /^\$[\d,]+\.\d\d$/

/**
 * Without a session. A page that needs one shows the sign-in screen; only those with words of their own are in this list. A
 * journey opens the others.
 */
export const VISITOR = [
  { name: 'landing', path: '/', shows: ['Your money stays put until the item is right.', 'Sign Up Now'] },
  { name: 'sign in', path: '/auth', shows: ['Welcome back', 'Password'] },
  { name: 'sign up', path: '/auth?tab=sign-up', shows: ['Open an account', 'First Name'] },
  { name: 'forgot password', path: '/auth/forgot', shows: ['Forgot your password?', 'Mail Me a Link'] },
  {
    name: 'new password',
    path: '/auth/reset#token',
    shows: ['Set a new password', 'Was it not you who asked for this?'],
  },
  { name: 'new password, dead link', path: '/auth/reset', shows: 'This link has expired or was used already.' },
  { name: 'sign-in at a provider, expired', path: '/auth/callback', shows: 'Back to Sign In' },
  { name: 'confirm address, signed out', path: '/auth/confirm#token', shows: ['Welcome back', 'Password'] },
  { name: 'browse', path: '/browse', shows: PRICE },
  { name: 'browse, nothing found', path: '/browse?q=zzzzqqqq', shows: 'Nothing matches this search' },
  { name: 'listing', path: deals => `/listing/${deals.active.id}`, shows: 'Sign In to Purchase' },
  {
    name: 'listing, not found',
    path: '/listing/999999999',
    shows: 'Listing Not Found',
    // The page itself is also 404.
    refused: ['404: GET /listing/999999999', '404: GET /api/listings/999999999'],
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
    // Without a session cookie the page does not ask who is signed in.
    hasSession: true,
    shows: 'We could not find out whether you are signed in',
    answer: failing(/\/api\/auth\/user/),
    // The HTML names the page's first reads, so the browser sends them. They are refused, because the session is unknown.
    refused: [/^401: GET \/api\/transactions\?status=/, '401: GET /api/transactions/summary'],
  },
  {
    name: 'sign-out that the server has not confirmed',
    path: '/auth',
    shows: 'Welcome back',
    prepare: toFailedSignOut,
    undo: forgetSignOut,
    reveals: ['This browser is not signed out yet', 'Try Again Now'],
    answer: failing(/\/api\/auth\/user$/),
    refused: [/^console: signing out failed/],
  },
  { name: 'how it works', path: '/platform', shows: ['Every step has a date', 'Read the API documentation'] },
  { name: 'support', path: '/support', shows: 'How does escrow work here?' },
  { name: 'support, guides', path: '/support?tab=guides', shows: /Watch the line: it shows where the money is$/ },
  { name: 'support, contact', path: '/support?tab=contact', shows: 'Never write a password or a card number here.' },
  { name: 'legal', path: '/legal?tab=terms', shows: 'Last updated December 2024' },
  { name: 'legal, privacy', path: '/legal?tab=privacy', shows: 'Why, and for how long' },
  { name: 'legal, escrow', path: '/legal?tab=escrow', shows: 'What never happens' },
  { name: 'legal, disputes', path: '/legal?tab=disputes', shows: 'Outcomes' },
  { name: 'legal, compliance', path: '/legal?tab=compliance', shows: 'Anti-money-laundering' },
  { name: 'dispute resolution', path: '/dispute-resolution', shows: 'Keep the item as it arrived until the decision' },
  { name: 'enterprise', path: '/enterprise', shows: ['Get Custom Pricing', 'Submit Request'] },
  {
    name: 'enterprise, with mistakes',
    path: '/enterprise',
    shows: 'Submit Request',
    prepare: press('Submit Request'),
    reveals: 'Please select monthly transaction volume',
  },
  {
    name: 'seller',
    path: deals => `/seller/${deals.completed.seller.username}`,
    shows: ['Items for sale', 'Packed like an egg, and exactly as described.', '5.0 of 5'],
  },
  {
    name: 'seller who is none',
    path: '/seller/nobody-here',
    shows: 'Seller Not Found',
    refused: ['404: GET /api/sellers/nobody-here'],
  },
  {
    name: 'invitation that is none',
    path: '/invitation/none',
    shows: ['Invitation Not Available', /^Invitation not found/],
    refused: ['404: GET /api/invitation/none'],
  },
  {
    name: 'invitation',
    path: deals => `/invitation/${deals.invitation.token}`,
    shows: ['Private Listing', 'Accept Invitation', 'You sign in or open an account first.'],
  },
  { name: 'nowhere', path: '/nowhere', shows: 'Page Not Found', refused: ['404: GET /nowhere'] },
  {
    name: 'start a transaction, signed out',
    path: '/create-listing',
    shows: ['Sign In Required', /^Please sign in to start a transaction\./, 'Password'],
  },
  {
    name: 'sign in, second step',
    path: '/auth',
    shows: ['Sign in with a passkey', 'Password'],
    prepare: toSecondStep,
    reveals: ['One more step', 'Code of your authenticator app', 'Use a Recovery Code'],
    // After the attempt the page asks who is signed in.
    refused: ['401: GET /api/auth/user'],
    answer: {
      to: /\/api\/auth\/signin$/,
      status: 403,
      json: {
        ...{ code: 'SECOND_FACTOR_REQUIRED', message: '', error: '', requestId: '' },
        details: { methods: ['authenticator', 'passkey', 'recovery_code'] },
      },
    },
  },
  { name: 'profile, signed out', path: '/profile', shows: ['Please sign in to view your profile.', 'Password'] },
  { name: 'disputes, signed out', path: '/disputes', shows: ['Please sign in to view your disputes.', 'Password'] },
]
