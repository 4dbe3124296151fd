import { roleOf, SERVICES_WITH_DATA } from '@holdfast/contracts/topology'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { runMigrations } from 'bullmq'
import pg from 'pg'
import { TIMERS_SCHEMA } from './timers-schema.js'

/** Roles that set timers. */
const TIMER_ROLES = SERVICES_WITH_DATA.map(roleOf)

/** A role may read and write the queue's tables, and not alter them. */
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

/** Makes or updates BullMQ's tables, as the owner of the database. Safe to repeat. */
export async function migrateQueueTables(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl, application_name: 'migrate' })
  await admin.connect()
  try {
    await runMigrations(admin, TIMERS_SCHEMA)
  } finally {
    await admin.end()
  }
}
