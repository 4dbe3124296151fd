import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Conversations1764000000000 } from './1764000000000-conversations.js'

/** What `tools/migrate` does for this service. */
export const plan = {
  service: 'messaging-svc',
  role: 'messaging_svc',
  schema: 'messaging',
  migrations: [Conversations1764000000000],
} as const satisfies MigrationPlan
