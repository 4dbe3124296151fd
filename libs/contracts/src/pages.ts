/**
 * The pages of the web app (spec section 2): their addresses, access and titles. The gateway uses this table to answer 200
 * or 404 and to write the head of the HTML; the web app uses it for its routes and titles. Descriptions are in
 * `page-descriptions.ts`, because browsers do not need them.
 */
export interface Page {
  /** As the router and Fastify write it: `:id` is a positive integer (`readId`), `:token`, `:username` and `:receipt` are any text. */
  readonly path: string
  /** `user`: a signed-out visitor sees the sign-in screen instead. `admin`: everybody else gets the 404 page. */
  readonly access: 'public' | 'user' | 'admin'
  /** Without the name of the product; see `documentTitle`. */
  readonly title: string
  /** Whether search engines may list it. */
  readonly indexed: boolean
}

/**
 * The name of a `<meta>` in the HTML of a page. It says that the browser sent no session. So the web app need not ask who is
 * signed in: the answer would be a refusal.
 */
export const VISITOR_META = 'holdfast-visitor'

export const SITE_NAME = 'Holdfast'

const publicPage = (path: string, title: string): Page => ({ path, access: 'public', title, indexed: true })

/** A page for signed-in people: a search engine would see only the sign-in screen. */
const userPage = (path: string, title: string): Page => ({ path, access: 'user', title, indexed: false })

/** A page of the operator's console. Its title is only for admins. */
const adminPage = (path: string, title: string): Page => ({ ...userPage(path, title), access: 'admin' })

export const pages = {
  home: publicPage('/', SITE_NAME),
  auth: publicPage('/auth', 'Sign In'),
  forgotPassword: { ...publicPage('/auth/forgot', 'Forgot Password'), indexed: false },
  resetPassword: { ...publicPage('/auth/reset', 'Set a New Password'), indexed: false },
  providerSignIn: { ...publicPage('/auth/callback', 'Signing In'), indexed: false },
  /** A link confirms an address only in a session of its account, so whoever is signed out signs in first. */
  confirmEmail: userPage('/auth/confirm', 'Confirm Your Address'),
  confirmPayoutAccount: userPage('/auth/confirm-payouts', 'Confirm Your Payout Account'),
  platform: publicPage('/platform', 'How It Works'),
  support: publicPage('/support', 'Support Center'),
  legal: publicPage('/legal', 'Legal Information'),
  disputeResolution: publicPage('/dispute-resolution', 'Dispute Resolution'),
  enterprise: publicPage('/enterprise', 'Enterprise'),
  browse: publicPage('/browse', 'Browse Items'),
  listing: publicPage('/listing/:id', 'Listing'),
  seller: publicPage('/seller/:username', 'Seller'),
  invitation: { ...publicPage('/invitation/:token', 'Invitation'), indexed: false },
  upgrade: userPage('/upgrade', 'Upgrade to Premium'),
  subscribe: userPage('/subscribe', 'Subscribe'),
  createListing: userPage('/create-listing', 'Start New Transaction'),
  dashboard: userPage('/dashboard', 'Dashboard'),
  transaction: userPage('/transaction/:id', 'Transaction'),
  statement: userPage('/transaction/:id/statement', 'Statement'),
  sendFunds: userPage('/send-funds/:id', 'Secure Payment'),
  checkout: userPage('/checkout/:id', 'Secure Payment'),
  itemShipped: userPage('/item-shipped/:id', 'Item Shipped'),
  profile: userPage('/profile', 'Profile'),
  invoice: userPage('/invoice', 'Invoice'),
  paymentReceipt: userPage('/payments/:receipt', 'Receipt'),
  payoutReceipt: userPage('/payouts/:receipt', 'Payout Receipt'),
  closeAccount: userPage('/profile/close', 'Close Your Account'),
  verification: userPage('/verification', 'Identity Verification'),
  messages: userPage('/messages', 'Messages'),
  disputes: userPage('/disputes', 'Disputes'),
  dispute: userPage('/disputes/:id', 'Dispute'),
  fileDispute: userPage('/file-dispute', 'File a Dispute'),
  adminDisputes: adminPage('/admin/disputes', 'Dispute Queue'),
  admin: adminPage('/admin', 'Console'),
  adminApprovals: adminPage('/admin/approvals', 'Approvals'),
  adminRefunds: adminPage('/admin/refunds', 'Refunds'),
  adminPayouts: adminPage('/admin/payouts', 'Payouts'),
  adminStuck: adminPage('/admin/stuck', 'Stuck'),
  adminDeadLetters: adminPage('/admin/dead-letters', 'Dead letters'),
  adminProviderEvents: adminPage('/admin/provider-events', 'Provider events'),
  adminLedger: adminPage('/admin/ledger', 'Ledger'),
  adminUsers: adminPage('/admin/users', 'Users'),
  adminVerifications: adminPage('/admin/verifications', 'Verifications'),
  adminEnquiries: adminPage('/admin/enquiries', 'Enquiries'),
  adminAudit: adminPage('/admin/audit', 'Audit'),
} as const satisfies Record<string, Page>

/** The page shown at an unknown address (spec section 2). */
export const NOT_FOUND_PAGE = {
  title: 'Page Not Found',
  description: "The page you're looking for doesn't exist or has been moved.",
} as const

/** The page shown for a listing that does not exist or that the reader may not see. */
export const LISTING_NOT_FOUND_PAGE = {
  title: 'Listing Not Found',
  description: "The listing you're looking for doesn't exist.",
} as const

/** The text of `<title>`: "Browse Items · Holdfast", and "Holdfast" alone for the landing page. */
export const documentTitle = (title: string): string => (title === SITE_NAME ? title : `${title} · ${SITE_NAME}`)

/** Reads an id out of an address: a positive integer without sign, leading zero or exponent; null for anything else. */
export function readId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
