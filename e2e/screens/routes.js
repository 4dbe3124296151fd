/**
 * The route table of the product, row by row (spec section 2). `tools/dev/route-table.spec.js` compares it with the pages that
 * the web app and the gateway know, so that a new page must get its row.
 *
 * - `path`: as `libs/contracts/src/pages.ts` writes it
 * - `access`: who sees the page. A visitor sees the sign-in screen on a page of a `user`, and everybody but an admin sees the
 *   404 page on one of an `admin`
 * - `at`: the address that is opened, for a path with a parameter
 * - `heading`: the page's one `h1`; `title`: its title in the browser's tab, where that is another text
 * - `signedOut`: the heading of the sign-in screen, where it is not the usual one
 * - `missing`: the heading at an id that nothing has, or that belongs to a deal, case or listing that the reader may not see
 * - `malformed`: the heading where something stands in place of the id that is none, if that is another one
 * - `endsAt`: the address to which the page leads on
 * - `signedIn`: what is different for a signed-in user
 *
 * @typedef {string | ((world: any) => string)} Words of the page, which may depend on the world of the journeys
 * @typedef {{ heading: Words, title?: Words, text?: string, endsAt?: Words }} Shown
 * @typedef {{
 *   path: string,
 *   access: string,
 *   at?: (world: any) => string,
 *   signedOut?: string,
 *   missing?: string,
 *   malformed?: string,
 *   signedIn?: Shown,
 * } & Shown} Row
 *
 * @type {Row[]}
 */
export const ROUTES = [
  { path: '/', access: 'public', heading: 'Your money stays put until the item is right.', title: 'Holdfast' },
  {
    path: '/auth',
    access: 'public',
    heading: 'Welcome back',
    title: 'Sign In',
    signedIn: {
      endsAt: '/dashboard',
      heading: ({ buyer }) => `${buyer.firstName} ${buyer.lastName}`,
      title: 'Dashboard',
    },
  },
  { path: '/auth/forgot', access: 'public', heading: 'Forgot your password?', title: 'Forgot Password' },
  { path: '/auth/reset', access: 'public', heading: 'Set a new password', title: 'Set a New Password' },
  { path: '/auth/callback', access: 'public', heading: 'This sign-in did not work', title: 'Signing In' },
  { path: '/auth/confirm', access: 'user', heading: 'Confirm your address', title: 'Confirm Your Address' },
  {
    path: '/auth/confirm-payouts',
    access: 'user',
    heading: 'Confirm your payout account',
    title: 'Confirm Your Payout Account',
  },
  { path: '/platform', access: 'public', heading: 'How It Works' },
  { path: '/support', access: 'public', heading: 'Support Center' },
  { path: '/legal', access: 'public', heading: 'Legal Information' },
  { path: '/dispute-resolution', access: 'public', heading: 'Dispute Resolution' },
  { path: '/enterprise', access: 'public', heading: 'Enterprise' },
  { path: '/browse', access: 'public', heading: 'Browse Items' },
  {
    path: '/listing/:id',
    access: 'public',
    at: ({ listing }) => `/listing/${listing.id}`,
    heading: ({ listing }) => listing.title,
    missing: 'Listing Not Found',
  },
  {
    path: '/seller/:username',
    access: 'public',
    at: ({ seller }) => `/seller/${seller.username}`,
    heading: ({ seller }) => `${seller.firstName} ${seller.lastName}`,
  },
  {
    path: '/invitation/:token',
    access: 'public',
    at: ({ invitation }) => `/invitation/${invitation.token}`,
    heading: ({ hidden }) => hidden.title,
  },
  { path: '/upgrade', access: 'user', heading: 'Upgrade to Premium' },
  { path: '/subscribe', access: 'user', heading: 'Subscribe to Premium', title: 'Subscribe' },
  { path: '/create-listing', access: 'user', heading: 'Start New Transaction', signedOut: 'Sign In Required' },
  {
    path: '/dashboard',
    access: 'user',
    heading: ({ buyer }) => `${buyer.firstName} ${buyer.lastName}`,
    title: 'Dashboard',
  },
  {
    path: '/transaction/:id',
    access: 'user',
    at: ({ deal }) => `/transaction/${deal.id}`,
    heading: ({ deal }) => deal.listing.title,
    missing: 'Transaction Not Found',
  },
  {
    path: '/transaction/:id/statement',
    access: 'user',
    at: ({ deal }) => `/transaction/${deal.id}/statement`,
    heading: 'Statement',
    title: ({ deal }) => `Statement of transaction #${deal.id}`,
    missing: 'Transaction Not Found',
  },
  {
    path: '/send-funds/:id',
    access: 'user',
    at: ({ deal }) => `/send-funds/${deal.id}`,
    // The deal is paid. The page to pay has the title of the item, too.
    heading: ({ deal }) => deal.listing.title,
    title: 'Secure Payment',
    missing: 'Transaction not found',
  },
  {
    path: '/checkout/:id',
    access: 'user',
    at: ({ deal }) => `/checkout/${deal.id}`,
    // The deal is paid. The page to pay has the title of the item, too.
    heading: ({ deal }) => deal.listing.title,
    title: 'Secure Payment',
    missing: 'Transaction not found',
    malformed: 'Page Not Found',
    endsAt: ({ deal }) => `/send-funds/${deal.id}`,
  },
  {
    path: '/item-shipped/:id',
    access: 'user',
    at: ({ deal }) => `/item-shipped/${deal.id}`,
    heading: 'Item Shipped',
    missing: 'Transaction not found',
  },
  { path: '/profile', access: 'user', heading: 'Profile', signedOut: 'Please sign in to view your profile.' },
  { path: '/profile/close', access: 'user', heading: 'Close Your Account' },
  {
    path: '/payments/:receipt',
    access: 'user',
    at: ({ receipt }) => `/payments/${receipt.paymentId}`,
    heading: 'Receipt',
    title: ({ receipt }) => `Receipt ${receipt.number}`,
    missing: 'Receipt Not Found',
  },
  {
    path: '/payouts/:receipt',
    access: 'user',
    // The buyer was paid nothing.
    at: ({ receipt }) => `/payouts/${receipt.paymentId}`,
    heading: 'Receipt Not Found',
    title: () => 'Receipt Not Found',
    missing: 'Receipt Not Found',
  },
  { path: '/invoice', access: 'user', heading: 'Invoice not found', title: () => 'Invoice not found' },
  { path: '/verification', access: 'user', heading: 'Identity Verification' },
  { path: '/messages', access: 'user', heading: 'Messages' },
  { path: '/disputes', access: 'user', heading: 'Disputes', signedOut: 'Please sign in to view your disputes.' },
  {
    path: '/disputes/:id',
    access: 'user',
    at: ({ disputeId }) => `/disputes/${disputeId}`,
    heading: ({ deal }) => deal.listing.title,
    title: ({ deal }) => `Dispute: ${deal.listing.title}`,
    missing: 'Dispute Not Found',
  },
  { path: '/file-dispute', access: 'user', heading: 'File a Dispute' },
  { path: '/admin/disputes', access: 'admin', heading: 'Dispute Queue' },
  { path: '/admin', access: 'admin', heading: 'Console' },
  { path: '/admin/approvals', access: 'admin', heading: 'Approvals' },
  { path: '/admin/refunds', access: 'admin', heading: 'Refunds' },
  { path: '/admin/payouts', access: 'admin', heading: 'Payouts' },
  { path: '/admin/stuck', access: 'admin', heading: 'Stuck' },
  { path: '/admin/dead-letters', access: 'admin', heading: 'Dead letters' },
  { path: '/admin/provider-events', access: 'admin', heading: 'Provider events' },
  { path: '/admin/ledger', access: 'admin', heading: 'Ledger' },
  { path: '/admin/users', access: 'admin', heading: 'Users' },
  { path: '/admin/verifications', access: 'admin', heading: 'Verifications' },
  { path: '/admin/enquiries', access: 'admin', heading: 'Enquiries' },
  { path: '/admin/audit', access: 'admin', heading: 'Audit' },
]

/** What stands in an address in place of an id, and is none. */
export const NO_IDS = ['abc', '0', '-1', '1e3', '01', '1.5', '99999999999999999999', '７', '%20']
/** An id in the right form that nothing has. */
export const NOBODYS_ID = '999999999'

/** Addresses of no page. */
export const NO_ROUTES = [
  '/nowhere',
  '/listing',
  '/invitation',
  '/transaction/1/more',
  '/browse/more',
  '/admin/nothing',
]
