import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Disputes1795305600000 } from './1795305600000-disputes.js'
import { RefusedFilings1795330000000 } from './1795330000000-refused-filings.js'

/** The migrations, role and grants of dispute-svc. */
export const plan = {
  service: 'dispute-svc',
  role: 'dispute_svc',
  schema: 'dispute',
  migrations: [Disputes1795305600000, RefusedFilings1795330000000],
} as const satisfies MigrationPlan
