import type { AdminUser } from '@holdfast/contracts/admin-users'
import type { CurrentUser } from '@holdfast/contracts/users'
import type { VerificationCase } from '@holdfast/contracts/verification'
import { newId } from '@holdfast/kernel/ids'
import { VERIFICATION_PICTURES, type VerificationPicture } from '@holdfast/kernel/users'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import sharp from 'sharp'
import { DataSource } from 'typeorm'
import { RunningIdentity } from '../../test/running-identity.js'
import { eraseUser } from '../account/erasure.js'
import { User } from '../users/user.entity.js'
import { SUBMISSIONS_PER_DAY } from './verification.service.js'
import { VerificationRemovalTimer } from './verification-removal.timer.js'

let identity: RunningIdentity
let documents: Record<VerificationPicture, string>
const admin = { ...userActor(), role: 'admin' as const }
beforeAll(async () => {
  identity = await RunningIdentity.start()
  const [idFrontImage, idBackImage, selfieImage] = await Promise.all([
    picture('red'),
    picture('green'),
    picture('blue'),
  ])
  documents = { idFrontImage: idFrontImage!, idBackImage: idBackImage!, selfieImage: selfieImage! }
})
afterAll(() => identity.stop())

async function picture(background: string): Promise<string> {
  const jpeg = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .withExif({ IFD0: { Artist: 'Ana' } })
    .jpeg()
    .toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

type Refusal = { readonly code?: string; readonly details?: object }
type Looked = VerificationCase & { readonly pictures: Record<VerificationPicture, string> }
const newUser = async () => (await identity.signUp()).body.user
const submit = (id: string, body: object = documents) =>
  identity.client.request<CurrentUser & Refusal>('POST', '/api/verification/submit', { actor: userActor(id), body })
const asAdmin = <T>(path: string, body: object, actor: typeof admin = admin) =>
  identity.client.request<T & Refusal>('POST', path, { actor, body: { reason: 'Review', ...body } })
const look = (id: string, actor = admin) => asAdmin<Looked>(`/api/admin/verifications/${id}/look`, {}, actor)
const decide = (id: string, body: object) => asAdmin<AdminUser>(`/api/admin/verifications/${id}/decision`, body)
const queue = async (query = '') =>
  identity.client.request<VerificationCase[]>('GET', `/api/admin/verifications${query}`, { actor: admin })
const me = async (id: string) =>
  (await identity.client.request<CurrentUser>('GET', '/api/auth/user', { actor: userActor(id) })).body
const rowsOf = async (id: string) =>
  (
    await identity.database.admin.query<{ id: string; state: string; wrapped_key: Buffer | null }>(
      'SELECT id, state, wrapped_key FROM identity.verification WHERE user_id = $1 ORDER BY id',
      [id],
    )
  ).rows
const actsOn = async (id: string) =>
  (await identity.client.request<object[]>('GET', `/internal/admin/acts?subject=user:${id}`, { actor: admin })).body
const filesStored = async () => (await identity.storage.files()).length
const removeDue = async () => {
  const timer = identity.running.app.get(VerificationRemovalTimer)
  for (const { id } of await timer.upcoming(0, 100)) await timer.fire(id)
}

test('documents are reviewed once: rejected with a reason, sent again, approved', async () => {
  const { id } = await newUser()
  expect(await submit(id)).toMatchObject({ status: 200, body: { verificationStatus: 'submitted', isVerified: false } })
  expect(await submit(id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const first = (await look(id)).body
  expect(
    await decide(id, { decision: 'rejected', submissionId: first.submissionId, reason: 'The back is blurred.' }),
  ).toMatchObject({ status: 200 })
  expect(await me(id)).toMatchObject({ verificationStatus: 'rejected', verificationReason: 'The back is blurred.' })
  expect(await submit(id)).toMatchObject({ status: 200, body: { verificationReason: null } })
  // The admin still has the first submission on the screen.
  expect(await decide(id, { decision: 'approved', submissionId: first.submissionId })).toMatchObject({ status: 409 })
  const { submissionId } = (await look(id)).body
  expect(await decide(id, { decision: 'approved', submissionId })).toMatchObject({
    body: { verificationStatus: 'approved' },
  })
  expect(await me(id)).toMatchObject({ isVerified: true, verificationReason: null })
  expect(await submit(id)).toMatchObject({ status: 409 })
  expect((await rowsOf(id)).map(({ state }) => state)).toEqual(['rejected', 'approved'])
  const types = await eventually(async () => {
    const { rows } = await identity.database.admin.query<{ payload: string }>(
      `SELECT payload FROM events.log WHERE type = 'identity.user.verification_decided.v1' AND key = $1 ORDER BY position`,
      [id],
    )
    return rows.length === 2 && rows.map(({ payload }) => (typeof payload === 'string' ? JSON.parse(payload) : payload))
  })
  expect(types).toMatchObject([
    { userId: id, decision: 'rejected', reason: 'The back is blurred.' },
    { userId: id, decision: 'approved', reason: null },
  ])
})

test('of submissions at the same moment one is kept', async () => {
  const { id } = await newUser()
  const answers = await Promise.all(Array.from({ length: 4 }, () => submit(id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect((await rowsOf(id)).filter(({ state }) => state === 'submitted')).toHaveLength(1)
})

test('an operator sees the queue, oldest first, and each look is kept; nothing is readable in the storage', async () => {
  const [older, younger] = [await newUser(), await newUser()]
  for (const { id } of [older, younger]) await submit(id)
  const ids = (await queue('?limit=100')).body.map(({ userId }) => userId)
  expect(ids.indexOf(older.id)).toBeLessThan(ids.indexOf(younger.id))
  const page = await queue('?limit=1')
  expect(page.headers.get('link')).toContain(`after=${page.body[0]!.submissionId}`)
  const looked = await look(older.id)
  expect(looked.headers.get('cache-control')).toBe('private, no-store')
  const seen = await Promise.all(
    VERIFICATION_PICTURES.map(async name => {
      const jpeg = Buffer.from(looked.body.pictures[name].split(',')[1]!, 'base64')
      expect((await sharp(jpeg).metadata()).exif).toBeUndefined()
      const { dominant } = await sharp(jpeg).stats()
      return Object.entries(dominant).sort((a, b) => b[1] - a[1])[0]![0]
    }),
  )
  expect(seen).toEqual(['r', 'g', 'b'])
  expect(await actsOn(older.id)).toMatchObject([
    {
      act: 'verification.look',
      actorId: admin.id,
      reason: 'Review',
      after: { submissionId: looked.body.submissionId },
    },
  ])
})

test('documents that were put in place of another user’s cannot be opened', async () => {
  const [ana, bob] = [await newUser(), await newUser()]
  for (const { id } of [ana, bob]) await submit(id)
  await identity.database.admin.query(
    `UPDATE identity.verification v SET id_front_image = w.id_front_image, master_key_id = w.master_key_id, wrapped_key = w.wrapped_key
     FROM identity.verification w WHERE v.user_id = $1 AND w.user_id = $2`,
    [ana.id, bob.id],
  )
  expect(await look(ana.id)).toMatchObject({ status: 500 })
  // The look is kept also when nothing could be seen.
  expect(await actsOn(ana.id)).toMatchObject([{ act: 'verification.look', actorId: admin.id }])
  expect(await look(bob.id)).toMatchObject({ status: 200 })
})

test('nobody but an admin gets anything, and an admin neither looks at their own nor decides about it', async () => {
  const { id } = await newUser()
  await submit(id)
  for (const actor of [userActor(id), userActor(), null])
    for (const [method, path] of [
      ['GET', '/api/admin/verifications'],
      ['POST', `/api/admin/verifications/${id}/look`],
    ] as const)
      expect(await identity.client.request(method, path, { actor })).toMatchObject({ status: 404 })
  expect(await look(id, { ...admin, id })).toMatchObject({ status: 403 })
  expect(
    await asAdmin(`/api/admin/verifications/${id}/decision`, { decision: 'approved' }, { ...admin, id }),
  ).toMatchObject({ status: 403 })
  expect(await look((await newUser()).id)).toMatchObject({ status: 404 })
  expect(
    await identity.client.request('POST', '/api/verification/submit', { actor: null, body: documents }),
  ).toMatchObject({ status: 401 })
})

test('a picture that is none is refused by its field, stores nothing, and too many attempts a day are refused', async () => {
  const { id } = await newUser()
  const before = await filesStored()
  const bad = { ...documents, selfieImage: 'data:image/png;base64,AAAA' }
  expect(await submit(id, bad)).toMatchObject({
    status: 400,
    body: { code: 'IMAGE_INVALID', details: { fields: { selfieImage: expect.any(String) } } },
  })
  expect(await submit(id, { ...documents, idBackImage: undefined })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED' },
  })
  for (let n = 1; n < SUBMISSIONS_PER_DAY; n++) expect((await submit(id, bad)).status).toBe(400)
  expect(await submit(id)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect([await filesStored(), await rowsOf(id)]).toEqual([before, []])
})

test('documents are removed some days after the decision, also when the storage was away, and those of a cut-off upload', async () => {
  const { id } = await newUser()
  const before = await filesStored()
  await submit(id)
  await decide(id, { decision: 'approved' })
  const waitDays = (days: number) =>
    identity.database.admin.query(
      `UPDATE identity.verification SET decided_at = decided_at - $2 * interval '1 day' WHERE user_id = $1`,
      [id, days],
    )
  await waitDays(29)
  await removeDue()
  expect(await filesStored()).toBe(before + 3)
  await identity.storage.without(async () => {
    await waitDays(2)
    await expect(removeDue()).rejects.toThrow(/ENOENT|NoSuchBucket/)
    expect((await rowsOf(id))[0]!.wrapped_key).not.toBeNull()
  })
  await removeDue()
  expect(await filesStored()).toBe(before)
  expect(await rowsOf(id)).toMatchObject([{ state: 'approved', wrapped_key: null }])
  const cutOff = await newUser()
  await submit(cutOff.id)
  for (const [minutes, kept] of [
    [59, 3],
    [61, 0],
  ]) {
    await identity.database.admin.query(
      `UPDATE identity.verification SET state = 'uploading', submitted_at = now() - $2 * interval '1 minute' WHERE user_id = $1`,
      [cutOff.id, minutes],
    )
    await removeDue()
    expect(await filesStored()).toBe(before + kept!)
  }
})

test('the documents of a closed account are removed at once, also while they wait for a review', async () => {
  const { id } = await newUser()
  const before = await filesStored()
  expect((await submit(id)).status).toBe(200)
  expect(await filesStored()).toBe(before + 3)
  const { rows } = await identity.database.admin.query('SELECT * FROM identity.users WHERE id = $1', [id])
  const dataSource = identity.running.app.get(DataSource)
  await dataSource.transaction(async dbTx => {
    const user = await dbTx.findOneByOrFail(User, { id: rows[0].id })
    const closing = { closingId: newId(), closingAt: new Date() }
    await dbTx.update(User, id, closing)
    await eraseUser(dbTx, { ...user, ...closing }, new Date())
  })
  await removeDue()
  expect(await filesStored()).toBe(before)
  expect(await rowsOf(id)).toMatchObject([{ state: 'rejected', wrapped_key: null }])
  expect((await queue()).body.some(({ userId }) => userId === id)).toBe(false)
})
