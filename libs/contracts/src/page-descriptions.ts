/** What search results and link previews say about the pages. Only the gateway needs it, so browsers do not load it. */
import { displayAmount } from '@holdfast/kernel/money'
import type { Listing } from './listings.js'
import { type Page, pages } from './pages.js'

const SITE_DESCRIPTION =
  "Holdfast holds the buyer's payment until the item has arrived and been accepted. Then, and only then, the seller is paid."

const DESCRIPTIONS: ReadonlyMap<Page, string> = new Map([
  [pages.auth, 'Sign in to Holdfast, or create an account to buy and sell with escrow.'],
  [pages.platform, 'How a payment is held and released on Holdfast, what it costs, how it is kept safe, and the API.'],
  [
    pages.support,
    'Answers to common questions about buying, selling, payments and disputes, and how to reach our support team.',
  ],
  [pages.legal, 'Terms of service, privacy policy, escrow terms, dispute policy and compliance.'],
  [pages.disputeResolution, 'How a dispute is filed, investigated, mediated and decided, and which evidence helps.'],
  [pages.enterprise, 'Escrow inside your own marketplace or checkout. Tell us what you need and ask for a price.'],
  [pages.browse, 'Items for sale on Holdfast. Every purchase is protected by escrow.'],
  [pages.listing, 'An item for sale on Holdfast. Every purchase is protected by escrow.'],
  [pages.seller, 'What this person sells on Holdfast, and what others say about trading with them.'],
  [pages.invitation, 'An invitation to a private listing on Holdfast.'],
  [pages.upgrade, 'Premium lowers the platform fee for people who trade often. See what it costs and what it saves.'],
])

/** One or two sentences about a page. A search engine sees only the sign-in screen of most pages for signed-in people: they have no own. */
export const pageDescription = (page: Page): string => DESCRIPTIONS.get(page) ?? SITE_DESCRIPTION

/** Longer descriptions are cut off by search engines and link previews. */
const MAX_DESCRIPTION_LENGTH = 200

/** The description of a listing's page: its price and condition, then the beginning of the seller's own text. */
export function listingDescription(listing: Pick<Listing, 'price' | 'currency' | 'condition' | 'description'>): string {
  const { price, currency, condition, description } = listing
  return shortened(`${displayAmount(price, currency)}, ${condition}. ${description.replace(/\s+/g, ' ').trim()}`)
}

function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= MAX_DESCRIPTION_LENGTH) return text
  return `${characters
    .slice(0, MAX_DESCRIPTION_LENGTH - 1)
    .join('')
    .trimEnd()}…`
}
