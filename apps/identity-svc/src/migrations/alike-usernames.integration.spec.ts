import { newId } from '@holdfast/kernel/ids'
import { skeletonsOf } from '@holdfast/names/skeleton'
import type { QueryRunner } from 'typeorm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { RunningIdentity } from '../../test/running-identity.js'
import { AlikeUsernames1799786060000 } from './1799786060000-alike-usernames.js'

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

test('accounts that looked alike before keep their usernames until they choose others', async () => {
  const client = await identity.database.admin.connect()
  onTestFinished(() => client.release(true))
  const query = async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows
  const runner = { query: (sql: string) => query(sql) } as unknown as QueryRunner
  await query('SET search_path TO identity')
  // A later migration compares the usernames that were given up in the same way.
  await query('ALTER TABLE users DISABLE TRIGGER given_up_username')
  await new AlikeUsernames1799786060000().down(runner)
  const ids = [newId(1), newId(2)] as const
  for (const [nth, username] of ['theo', 'the0'].entries())
    await query(
      `INSERT INTO users (id, email, username, password_hash, first_name, last_name, created_at)
       VALUES ($1, $2, $3, '', 'Theo', 'Mills', now() + $4 * interval '1 second')`,
      [ids[nth], `${username}@example.com`, username, nth],
    )
  await new AlikeUsernames1799786060000().up(runner)
  await query('ALTER TABLE users ENABLE TRIGGER given_up_username')
  expect(await query('SELECT username FROM users WHERE alike_username IS NOT NULL')).toEqual([{ username: 'the0' }])
  await query(`UPDATE users SET first_name = 'Thea' WHERE id = $1`, [ids[1]])
  const rename = (username: string) => query('UPDATE users SET username = $2 WHERE id = $1', [ids[1], username])
  await expect(rename('theo-')).rejects.toMatchObject({ constraint: 'users_username_look_key' })
  await rename('thea')
  await expect(rename('THE0.')).rejects.toMatchObject({ constraint: 'users_username_look_key' })
})
