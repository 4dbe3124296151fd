import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE } from '@holdfast/service-kit/idempotency/idempotency-table'
import { plan } from '../src/migrations/plan.js'

/** The plan of the release whose last migration this was. Tables that came later have no rights yet, so only one is restricted. */
export const planUntil = (last: (typeof plan.migrations)[number]): MigrationPlan => ({
  ...plan,
  migrations: plan.migrations.slice(0, plan.migrations.indexOf(last) + 1),
  appendOnly: [IDEMPOTENCY_TABLE],
  grants: [plan.grants[0]],
})
