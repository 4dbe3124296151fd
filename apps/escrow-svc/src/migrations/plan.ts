import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { IDEMPOTENCY_TABLE, idempotencyGrant } from '@holdfast/service-kit/idempotency/idempotency-table'
import { Escrow1764000000000 } from './1764000000000-escrow.js'

/**
 * What escrow-svc wants in the database. What was posted, signed or reported stays: its role may only add to it. Old keys
 * and webhook events are deleted by functions of the owner, which the role may run.
 */
export const plan = {
  service: 'escrow-svc' as const,
  role: 'escrow_svc',
  schema: 'escrow',
  migrations: [Escrow1764000000000],
  appendOnly: ['journal_entry', 'posting', 'timeline', 'clock_entry', 'acceptance', 'webhook_event', IDEMPOTENCY_TABLE],
  grants: [
    idempotencyGrant('escrow', 'escrow_svc'),
    'GRANT EXECUTE ON FUNCTION escrow.forget_webhook_events(int) TO escrow_svc',
  ],
} satisfies MigrationPlan
