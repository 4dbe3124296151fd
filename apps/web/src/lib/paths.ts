import { type Page, pages } from '@holdfast/contracts/pages'

const withId = ({ path }: Page, id: number) => path.replace(':id', String(id))

/** Every address of the web app. Links and redirects are made here, from the table of pages. */
export const paths = {
  home: pages.home.path,
  auth: pages.auth.path,
  signUp: `${pages.auth.path}?tab=sign-up`,
  platform: pages.platform.path,
  support: pages.support.path,
  legal: pages.legal.path,
  disputeResolution: pages.disputeResolution.path,
  enterprise: pages.enterprise.path,
  upgrade: pages.upgrade.path,
  subscribe: pages.subscribe.path,
  browse: pages.browse.path,
  createListing: pages.createListing.path,
  dashboard: pages.dashboard.path,
  selling: `${pages.dashboard.path}?tab=selling`,
  buying: `${pages.dashboard.path}?tab=buying`,
  profile: pages.profile.path,
  payouts: `${pages.profile.path}?tab=payments`,
  verification: pages.verification.path,
  messages: pages.messages.path,
  disputes: pages.disputes.path,
  fileDispute: pages.fileDispute.path,
  fileDisputeOn: (id: number) => `${pages.fileDispute.path}?transaction=${id}`,
  listing: (id: number) => withId(pages.listing, id),
  invitation: (token: string) => pages.invitation.path.replace(':token', encodeURIComponent(token)),
  transaction: (id: number) => withId(pages.transaction, id),
  transactionMessages: (id: number) => `${withId(pages.transaction, id)}#messages`,
  checkout: (id: number) => withId(pages.checkout, id),
  sendFunds: (id: number) => withId(pages.sendFunds, id),
  itemShipped: (id: number) => withId(pages.itemShipped, id),
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
