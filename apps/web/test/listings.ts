import type { Listing, listingRoutes } from '@holdfast/contracts/listings'
import type { Output } from '@holdfast/contracts/route'
import { ana } from './people.js'

/** Ana offers an oak chair for $1,240.00. */
export const chair: Listing = {
  id: 7,
  title: 'Oak chair',
  description: 'Sturdy',
  price: '1240.00',
  currency: 'USD',
  category: 'Home & Garden',
  condition: 'Good',
  location: null,
  status: 'active',
  isPrivate: false,
  sellerId: ana.id,
  seller: ana,
  escrowDays: 3,
  inspectionPeriod: 3,
  returnPolicy: 'no-returns',
  images: [],
  createdAt: '2026-11-18T10:00:00.000Z',
  relistedAs: null,
}

/** A listing that was just created, without a deal. */
export const createdListing: Output<typeof listingRoutes.createListing> = chair
