import { PREMIUM_GRACE_DAYS } from '@holdfast/kernel/subscriptions'
import type { Plan } from '@holdfast/kernel/users'
import type { EntityManager } from 'typeorm'

// It says the same as `planOf` of billing, by the database's clock.
const PREMIUM = `SELECT user_id FROM subscription WHERE user_id = ANY($1) AND money_back IS NULL
  AND CASE status WHEN 'active' THEN period_ends_at WHEN 'past_due' THEN past_due_since END + $2 * interval '1 second' > clock_timestamp()`

/** The plans that users have now. A deal keeps those with which it was opened. */
export async function plansOf<const K extends string>(
  manager: EntityManager,
  users: Record<K, string>,
  daySeconds: number,
): Promise<Record<K, Plan>> {
  const rows: { user_id: string }[] = await manager.query(PREMIUM, [
    Object.values(users),
    PREMIUM_GRACE_DAYS * daySeconds,
  ])
  const premium = new Set(rows.map(row => row.user_id))
  const entries = Object.entries<string>(users).map(([role, id]) => [role, premium.has(id) ? 'premium' : 'standard'])
  return Object.fromEntries(entries) as Record<K, Plan>
}
