import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Sandbox1764000000000 } from './1764000000000-sandbox.js'

/** What the sandbox keeps in the database. No production database has it. */
export const plan = {
  service: 'sandbox',
  role: 'sandbox_svc',
  schema: 'sandbox',
  migrations: [Sandbox1764000000000],
} as const satisfies MigrationPlan
