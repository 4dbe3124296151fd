import { roleOf, SERVICES_WITH_DATA, STAND_INS_WITH_DATA } from '@holdfast/contracts/topology'
import { eventsPlan } from '@holdfast/events/migrations'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { timersPlan } from '@holdfast/timers/migrations'

/** What a process keeps, as its own folder describes it. */
async function planOf(name: string): Promise<MigrationPlan> {
  const { plan } = (await import(`@holdfast/${name}/migrations/plan`)) as { plan: MigrationPlan }
  return plan
}

/**
 * Everything the product keeps in its database: each service's part, then the parts they share. A stand-in, such as the
 * payment sandbox, has a part only where its role has been given a password, which is never so in production.
 */
export async function plansFor(roles: readonly string[]): Promise<readonly MigrationPlan[]> {
  const standIns = STAND_INS_WITH_DATA.filter(name => roles.includes(roleOf(name)))
  return [...(await Promise.all([...SERVICES_WITH_DATA, ...standIns].map(planOf))), eventsPlan, timersPlan]
}
