import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE, idempotencyGrant } from '@holdfast/service-kit/idempotency/idempotency-table'
import { Listings1795305600000 } from './1795305600000-listings.js'

/** The migrations, role and grants of this service. Its role may read and add signed agreements, and not change them. */
export const plan = {
  service: 'listing-svc',
  role: 'listing_svc',
  schema: 'listing',
  migrations: [Listings1795305600000],
  appendOnly: ['legal_acceptance', IDEMPOTENCY_TABLE],
  grants: [idempotencyGrant('listing', 'listing_svc')],
} as const satisfies MigrationPlan
