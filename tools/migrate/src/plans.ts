import { SERVICES_WITH_DATA } from '@holdfast/contracts/topology'
import { eventsPlan } from '@holdfast/events/migrations'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { timersPlan } from '@holdfast/timers/migrations'

/** What a service keeps, as its own folder describes it. */
async function planOf(service: string): Promise<MigrationPlan> {
  const { plan } = (await import(`@holdfast/${service}/migrations/plan`)) as { plan: MigrationPlan }
  return plan
}

/** Everything the product keeps in its database: each service's part, then the parts they share. */
export const plans: readonly MigrationPlan[] = [
  ...(await Promise.all(SERVICES_WITH_DATA.map(planOf))),
  eventsPlan,
  timersPlan,
]
