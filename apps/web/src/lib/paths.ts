/** Every address of the web app (spec section 2). Links and redirects are made here, never written by hand. */
export const paths = {
  home: '/',
  auth: '/auth',
  signUp: '/auth?tab=sign-up',
  platform: '/platform',
  support: '/support',
  legal: '/legal',
  disputeResolution: '/dispute-resolution',
  enterprise: '/enterprise',
  upgrade: '/upgrade',
  subscribe: '/subscribe',
  browse: '/browse',
  createListing: '/create-listing',
  dashboard: '/dashboard',
  selling: '/dashboard?tab=selling',
  buying: '/dashboard?tab=buying',
  profile: '/profile',
  verification: '/verification',
  messages: '/messages',
  disputes: '/disputes',
  fileDispute: '/file-dispute',
  fileDisputeOn: (id: number) => `/file-dispute?transaction=${id}`,
  listing: (id: number) => `/listing/${id}`,
  invitation: (token: string) => `/invitation/${encodeURIComponent(token)}`,
  transaction: (id: number) => `/transaction/${id}`,
  transactionMessages: (id: number) => `/transaction/${id}#messages`,
  checkout: (id: number) => `/checkout/${id}`,
  sendFunds: (id: number) => `/send-funds/${id}`,
  itemShipped: (id: number) => `/item-shipped/${id}`,
} as const

/** Sections of longer pages that the footer links to. */
export const sections = {
  howItWorks: `${paths.platform}#how-it-works`,
  fees: `${paths.platform}#fees`,
  security: `${paths.platform}#security`,
  api: `${paths.platform}#api`,
  contact: `${paths.support}?tab=contact`,
  trustAndSafety: `${paths.support}?tab=guides`,
  terms: `${paths.legal}?tab=terms`,
  privacy: `${paths.legal}?tab=privacy`,
  cookies: `${paths.legal}?tab=privacy#cookies`,
  escrowTerms: `${paths.legal}?tab=escrow`,
} as const

/** Reads an id out of an address: a positive integer without sign, leading zero or exponent; null for anything else. */
export function readId(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null
}
