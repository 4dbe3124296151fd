import { newId } from '@holdfast/kernel/ids'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { RunningEscrow } from '../../test/running-escrow.js'
import { WebhookEventsCleanup } from './webhook-events-cleanup.js'

describe('an idempotency key or a webhook event', () => {
  let escrow: RunningEscrow
  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  const keep = (key: string, daysAgo: number) =>
    escrow.database.admin.query(
      `INSERT INTO escrow.idempotency_key VALUES ($1, 'payments', $2, '', '{"clientSecret": "x"}', now() - $3 * interval '1 day')`,
      [newId(), key, daysAgo],
    )
  const receive = (id: string, daysAgo: number) =>
    escrow.database.admin.query(
      `INSERT INTO escrow.webhook_event VALUES ($1, 'payment_intent.succeeded', now() - $2 * interval '1 day')`,
      [id, daysAgo],
    )
  const kept = async (table: string, column: string) => {
    const { rows } = await escrow.database.admin.query<{ it: string }>(`SELECT ${column} AS it FROM escrow.${table}`)
    return rows.map(({ it }) => it).sort()
  }

  it('is deleted when it is old: a key after seven days, an event after ninety days', async () => {
    for (const [nth, daysAgo] of [0, 6.9, 7.1, 8, 400].entries()) await keep(`key-${nth}`, daysAgo)
    for (const [nth, daysAgo] of [0, 89.9, 90.1, 400].entries()) await receive(`evt-${nth}`, daysAgo)
    await escrow.service.app.get(IdempotencyCleanup).run(2)
    await escrow.service.app.get(WebhookEventsCleanup).run(2)
    expect(await kept('idempotency_key', 'key')).toEqual(['key-0', 'key-1'])
    expect(await kept('webhook_event', 'id')).toEqual(['evt-0', 'evt-1'])
  })

  it.each(['idempotency_key', 'webhook_event'])('cannot be deleted by the service’s role: %s', async table => {
    await expect(escrow.dataSource.query(`DELETE FROM escrow.${table}`)).rejects.toThrow('permission denied')
  })

  it.each(['forget_idempotency_keys', 'forget_webhook_events'])('cannot be deleted by another role: %s', async name => {
    const { rows } = await escrow.database.admin.query<{ may: boolean }>(
      `SELECT has_function_privilege('pg_monitor', 'escrow.${name}(int)', 'EXECUTE') AS may`,
    )
    expect(rows).toEqual([{ may: false }])
  })
})
