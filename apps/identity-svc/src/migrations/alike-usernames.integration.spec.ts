import { newId } from '@holdfast/kernel/ids'
import { skeletonsOf } from '@holdfast/names/skeleton'
import { RunningIdentity } from '../../test/running-identity.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

test('usernames that look alike to Unicode look alike to the database', async () => {
  const signs = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 'rn', 'RN']
  const { rows } = await identity.database.admin.query(
    'SELECT sign, identity.username_look(sign) AS look FROM unnest($1::text[]) sign',
    [signs],
  )
  // For us the digit 5 looks like an s, too.
  const skeletonOf = (sign: string) => skeletonsOf(sign.replace('5', 's')).join()
  for (const one of rows)
    for (const other of rows)
      expect([one.sign, other.sign, one.look === other.look]).toEqual([
        ...[one.sign, other.sign],
        skeletonOf(one.sign) === skeletonOf(other.sign),
      ])
  const alikeTo = (look: string) =>
    rows
      .filter(row => row.look === look)
      .map(({ sign }) => sign)
      .join(' ')
  expect(['l', 'o', 's', 'rn'].map(alikeTo)).toEqual(['i l I L 1', 'o O 0', 's S 5', 'm M rn RN'])
})

test('no two usernames look alike, whoever writes them', async () => {
  const client = identity.database.admin
  const insert = (username: string) =>
    client.query(
      `INSERT INTO identity.users (id, email, username, password_hash, first_name, last_name, created_at)
       VALUES ($1, $2 || '@example.com', $2, '', 'Theo', 'Mills', now())`,
      [newId(), username],
    )
  const rename = (from: string, to: string) =>
    client.query('UPDATE identity.users SET username = $2 WHERE username = $1', [from, to])
  await insert('theo')
  await insert('thea')
  await expect(insert('the0')).rejects.toMatchObject({ constraint: 'users_username_look_key' })
  await expect(rename('thea', 'THE0.')).rejects.toMatchObject({ constraint: 'users_username_look_key' })
})
