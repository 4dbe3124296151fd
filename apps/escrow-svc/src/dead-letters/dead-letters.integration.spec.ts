import type { DeadLetter } from '@holdfast/contracts/admin-events'
import { newId } from '@holdfast/kernel/ids'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningEscrow } from '../../test/running-escrow.js'

let escrow: RunningEscrow
beforeAll(async () => {
  escrow = await RunningEscrow.start()
})
afterAll(() => escrow.stop())

const admin = { ...userActor(), role: 'admin' as const }
const TYPES = ['escrow.transaction.paid.v1', 'escrow.transaction.paid.v1', 'escrow.transaction.shipped.v1']

async function deadLetters(): Promise<number[]> {
  const ids: number[] = []
  for (const [position, type] of TYPES.entries()) {
    const { rows } = await escrow.database.admin.query<{ id: string }>(
      `INSERT INTO events.dead_letter (consumer_group, topic, partition, position, event_id, key, type, payload, occurred_at, attempts, error)
       VALUES ('messaging-svc', 'escrow.transaction', 1, $1, $2, '1', $3, '{}', now(), 5, 'no such text') RETURNING id`,
      [position + 1, newId(), type],
    )
    ids.push(Number(rows[0]!.id))
  }
  return ids
}
const list = async (query = '') =>
  (await escrow.request<DeadLetter[]>('GET', `/api/admin/dead-letters${query}`, { actor: admin })).body
const replay = (path: string, body: object) =>
  escrow.request('POST', `/api/admin/dead-letters/${path}`, {
    actor: admin,
    body: { reason: 'Deployed a fix', ...body },
  })

test('dead letters of every service are listed, and replayed alone or by their type', async () => {
  const [first, second, third] = await deadLetters()
  expect((await list()).map(({ id }) => id)).toEqual([third, second, first])
  expect((await list(`?type=${TYPES[2]}`)).map(({ id }) => id)).toEqual([third])
  expect(await list('?limit=1')).toMatchObject([{ id: third, group: 'messaging-svc', error: 'no such text' }])

  expect(await replay(`${third}/replay`, {})).toMatchObject({ status: 200, body: { requested: 1 } })
  expect(await replay('replay', { type: TYPES[0] })).toMatchObject({ status: 200, body: { requested: 2 } })
  expect((await list()).map(({ id, replayRequestedAt }) => [id, replayRequestedAt])).toEqual(
    [third, second, first].map(id => [id, expect.any(String)]),
  )
  const acts = await escrow.request<{ subject: string }[]>('GET', '/internal/admin/acts?act=dead_letter.replay')
  expect(acts.body).toMatchObject([
    { subject: `dead_letters:${TYPES[0]}`, after: { replayRequested: 2 }, reason: 'Deployed a fix' },
    { subject: `dead_letter:${third}`, before: { error: 'no such text' } },
  ])
})

test('one that was replayed is left out, and not replayed again', async () => {
  const [{ id } = { id: 0 }] = await list()
  await escrow.database.admin.query('UPDATE events.dead_letter SET replayed_at = now() WHERE id = $1', [id])
  expect((await list()).map(letter => letter.id)).not.toContain(id)
  expect((await list('?open=false')).map(letter => letter.id)).toContain(id)
  expect(await replay(`${id}/replay`, {})).toMatchObject({ status: 404 })
  expect(await replay('999999/replay', {})).toMatchObject({ status: 404 })
})
