import { eventsPlan } from '@holdfast/events/migrations'
import { plan as identity } from '@holdfast/identity-svc/migrations/plan'
import { plan as listing } from '@holdfast/listing-svc/migrations/plan'
import type { MigrationPlan } from '@holdfast/service-kit/migrations'

/** Everything the product keeps in its database, each part as its owner describes it. */
export const plans: readonly MigrationPlan[] = [identity, listing, eventsPlan]
