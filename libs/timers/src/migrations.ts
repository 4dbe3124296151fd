import type { MigrationPlan } from '@holdfast/service-kit/migrations'
import { migrateQueueTables, TIMERS_SCHEMA } from './wakeup-queue.js'

/** Roles that set timers. */
export const TIMER_ROLES = ['identity_svc', 'listing_svc', 'escrow_svc', 'dispute_svc', 'messaging_svc'] as const

/** What a role may do with the queue's tables: everything but change them. */
export function timersGrants(roles: readonly string[] = TIMER_ROLES): string[] {
  return roles.flatMap(role => [
    `GRANT USAGE ON SCHEMA ${TIMERS_SCHEMA} TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${TIMERS_SCHEMA} TO ${role}`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${TIMERS_SCHEMA} TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON ${TIMERS_SCHEMA}.migration FROM ${role}`,
  ])
}

/** The queue's tables, for `applyMigrations`, after the roles of all services. */
export const timersPlan: MigrationPlan = {
  service: 'timers',
  schema: TIMERS_SCHEMA,
  migrations: [],
  prepare: migrateQueueTables,
  grants: timersGrants(),
}
