import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Disputes1764000000000 } from './1764000000000-disputes.js'
import { Filings1764000000001 } from './1764000000001-filings.js'

/** What dispute-svc wants in the database. */
export const plan = {
  service: 'dispute-svc',
  role: 'dispute_svc',
  schema: 'dispute',
  migrations: [Disputes1764000000000, Filings1764000000001],
} as const satisfies MigrationPlan
