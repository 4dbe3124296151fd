import { pageDescription } from '@holdfast/contracts/page-descriptions'
import { pages } from '@holdfast/contracts/pages'
import { PublicUser } from '@holdfast/contracts/users'
import { aListing, aPerson } from '../../test/deals.js'
import { listingHead, pageHead } from './page-head.js'

const PUBLIC_URL = 'https://holdfast.example'
const IMAGE = `/api/images/${'a'.repeat(64)}`

describe('the head of a page', () => {
  it('has the title, description and address of the page', () => {
    const head = pageHead(pages.browse, PUBLIC_URL)
    expect(head).toMatchObject({
      title: 'Browse Items · Holdfast',
      description: pageDescription(pages.browse),
      canonical: 'https://holdfast.example/browse',
      indexed: true,
    })
    expect(Object.fromEntries(head.preview)).toEqual({
      'og:site_name': 'Holdfast',
      'og:type': 'website',
      'og:title': 'Browse Items · Holdfast',
      'og:description': pageDescription(pages.browse),
      'og:url': 'https://holdfast.example/browse',
      'twitter:card': 'summary',
      'twitter:title': 'Browse Items · Holdfast',
      'twitter:description': pageDescription(pages.browse),
    })
  })

  it('contains no address that may contain a secret', () => {
    const head = pageHead(pages.invitation, PUBLIC_URL)
    expect([head.canonical, head.indexed]).toEqual([null, false])
    expect(head.preview.map(([name]) => name)).not.toContain('og:url')
  })
})

describe('the head of a listing', () => {
  const listing = aListing(PublicUser.parse(aPerson('Ben')))

  it('has title, description, price and the first picture with absolute addresses', () => {
    const head = listingHead({ ...listing, images: [IMAGE, `/api/images/${'b'.repeat(64)}`] }, PUBLIC_URL)
    expect(head).toMatchObject({
      title: 'A watch · Holdfast',
      description: '$120.50, Good. Ticks.',
      canonical: 'https://holdfast.example/listing/3',
      indexed: true,
    })
    expect(Object.fromEntries(head.preview)).toEqual({
      'og:site_name': 'Holdfast',
      'og:type': 'product',
      'og:title': 'A watch',
      'og:description': '$120.50, Good. Ticks.',
      'og:url': 'https://holdfast.example/listing/3',
      'og:image': PUBLIC_URL + IMAGE,
      'og:image:alt': 'A watch',
      'product:price:amount': '120.50',
      'product:price:currency': 'USD',
      'product:availability': 'in stock',
      'twitter:card': 'summary_large_image',
      'twitter:title': 'A watch',
      'twitter:description': '$120.50, Good. Ticks.',
      'twitter:image': PUBLIC_URL + IMAGE,
      'twitter:label1': 'Price',
      'twitter:data1': '$120.50',
    })
  })

  it('has a small card without a picture, and is marked as out of stock when it cannot be bought', () => {
    const preview = Object.fromEntries(listingHead({ ...listing, status: 'sold' }, PUBLIC_URL).preview)
    expect(preview).toMatchObject({ 'twitter:card': 'summary', 'product:availability': 'out of stock' })
    expect(preview).not.toHaveProperty('og:image')
  })
})
