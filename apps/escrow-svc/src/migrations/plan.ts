import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Escrow1764000000001 } from './1764000000001-escrow.js'
import { ReturnedRefunds1764000000002 } from './1764000000002-returned-refunds.js'
import { UnpaidDeals1764000000003 } from './1764000000003-unpaid-deals.js'
import { ParcelKeys1764000000004 } from './1764000000004-parcel-keys.js'
import { Retention1764000000005 } from './1764000000005-retention.js'
import { NoLease1764000000006 } from './1764000000006-no-lease.js'

/**
 * What escrow-svc wants in the database. What was posted, signed or told stays: its role may only add to it. Of keys and
 * webhook events `escrow.forget` takes the old ones, and nobody any other.
 */
export const plan = {
  service: 'escrow-svc',
  role: 'escrow_svc',
  schema: 'escrow',
  migrations: [
    Escrow1764000000001,
    ReturnedRefunds1764000000002,
    UnpaidDeals1764000000003,
    ParcelKeys1764000000004,
    Retention1764000000005,
    NoLease1764000000006,
  ],
  appendOnly: ['journal_entry', 'posting', 'timeline', 'clock_entry', 'acceptance', 'webhook_event', 'idempotency'],
  grants: ['GRANT EXECUTE ON FUNCTION escrow.forget(int) TO escrow_svc'],
} satisfies MigrationPlan
