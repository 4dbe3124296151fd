import { plan as dispute } from '@holdfast/dispute-svc/migrations/plan'
import { plan as escrow } from '@holdfast/escrow-svc/migrations/plan'
import { eventsPlan } from '@holdfast/events/migrations'
import { plan as identity } from '@holdfast/identity-svc/migrations/plan'
import { plan as listing } from '@holdfast/listing-svc/migrations/plan'
import { plan as messaging } from '@holdfast/messaging-svc/migrations/plan'
import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { timersPlan } from '@holdfast/timers/migrations'

/** Everything the product keeps in its database, each part as its owner describes it. */
export const plans: readonly MigrationPlan[] = [identity, listing, escrow, dispute, messaging, eventsPlan, timersPlan]
