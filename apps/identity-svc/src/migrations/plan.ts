import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Accounts1795305600000 } from './1795305600000-accounts.js'

/** What `tools/migrate` does for this service. */
export const plan = {
  service: 'identity-svc',
  role: 'identity_svc',
  schema: 'identity',
  migrations: [Accounts1795305600000],
} as const satisfies MigrationPlan
