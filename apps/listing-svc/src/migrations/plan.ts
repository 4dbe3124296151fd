import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Listings1764000000000 } from './1764000000000-listings.js'
import { Attempts1764000000001 } from './1764000000001-attempts.js'

/** What this service wants in the database. What people signed can be added to and read, never changed. */
export const plan = {
  service: 'listing-svc',
  role: 'listing_svc',
  schema: 'listing',
  migrations: [Listings1764000000000, Attempts1764000000001],
  appendOnly: ['legal_acceptance'],
} as const satisfies MigrationPlan
