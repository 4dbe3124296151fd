import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import { Disputes1795305600000 } from './1795305600000-disputes.js'
import { BankDisputes1795392000000 } from './1795392000000-bank-disputes.js'

/** The migrations, role and grants of dispute-svc. */
export const plan = {
  service: 'dispute-svc',
  role: 'dispute_svc',
  schema: 'dispute',
  migrations: [Disputes1795305600000, BankDisputes1795392000000],
} as const satisfies MigrationPlan
