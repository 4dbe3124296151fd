import type { Listing } from '@holdfast/contracts/listings'
import { listingDescription, pageDescription } from '@holdfast/contracts/page-descriptions'
import { documentTitle, type Page, pages, SITE_NAME } from '@holdfast/contracts/pages'
import { displayAmount } from '@holdfast/kernel/money'

/** The head of a page for browsers, search engines and link previews. It is plain text, which the template escapes. */
export interface PageHead {
  /** The complete title, with the name of the product. */
  readonly title: string
  readonly description: string
  /** The absolute address under which search engines list the page; null when they must not list it. */
  readonly canonical: string | null
  readonly indexed: boolean
  /** Open Graph properties (https://ogp.me) and Twitter card names, in order. */
  readonly preview: readonly (readonly [name: string, content: string])[]
}

/**
 * The head of a page that is the same for every reader. An address with a parameter has no canonical form here, because the
 * parameter may be a secret, such as the token of an invitation.
 */
export function pageHead(page: Page, publicUrl: string): PageHead {
  const canonical = page.path.includes(':') ? null : publicUrl + page.path
  const title = documentTitle(page.title)
  const description = pageDescription(page)
  return {
    title,
    description,
    canonical,
    indexed: page.indexed,
    preview: previewOf('website', title, description, canonical),
  }
}

/** The head of a public listing. */
export function listingHead(listing: Listing, publicUrl: string): PageHead {
  const canonical = listingUrl(listing.id, publicUrl)
  const description = listingDescription(listing)
  const [firstImage] = listing.images
  return {
    title: documentTitle(listing.title),
    description,
    canonical,
    indexed: true,
    preview: [
      ...previewOf('product', listing.title, description, canonical, firstImage && publicUrl + firstImage),
      ['product:price:amount', listing.price],
      ['product:price:currency', listing.currency],
      ['product:availability', listing.status === 'active' ? 'in stock' : 'out of stock'],
      ['twitter:label1', 'Price'],
      ['twitter:data1', displayAmount(listing.price, listing.currency)],
    ],
  }
}

/** The head of an unknown address. It is not indexed and has no preview. */
export const absentHead = (absent: { readonly title: string; readonly description: string }): PageHead => ({
  title: documentTitle(absent.title),
  description: absent.description,
  canonical: null,
  indexed: false,
  preview: [],
})

/** The absolute address of a listing. */
export const listingUrl = (id: number, publicUrl: string): string =>
  publicUrl + pages.listing.path.replace(':id', String(id))

function previewOf(
  type: 'website' | 'product',
  title: string,
  description: string,
  url: string | null,
  image?: string,
): PageHead['preview'] {
  return [
    ['og:site_name', SITE_NAME],
    ['og:type', type],
    ['og:title', title],
    ['og:description', description],
    ...(url === null ? [] : [['og:url', url] as const]),
    ...(image ? [['og:image', image] as const, ['og:image:alt', title] as const] : []),
    ['twitter:card', image ? 'summary_large_image' : 'summary'],
    ['twitter:title', title],
    ['twitter:description', description],
    ...(image ? [['twitter:image', image] as const] : []),
  ]
}
