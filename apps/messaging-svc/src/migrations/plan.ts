import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Conversations1795305600000 } from './1795305600000-conversations.js'

/** What `tools/migrate` does for this service. */
export const plan = {
  service: 'messaging-svc',
  role: 'messaging_svc',
  schema: 'messaging',
  migrations: [Conversations1795305600000],
} as const satisfies MigrationPlan
