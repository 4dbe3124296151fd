import type { MigrationPlan } from '@holdfast/service-kit/migrations'
import { Disputes1764000000000 } from './1764000000000-disputes.js'

/** What dispute-svc wants in the database. */
export const plan = {
  service: 'dispute-svc',
  role: 'dispute_svc',
  schema: 'dispute',
  migrations: [Disputes1764000000000],
} as const satisfies MigrationPlan
