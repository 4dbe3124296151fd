import { type EventDefinition, picturesChecked, userClosed, userUpdated } from '@holdfast/contracts/events'
import type { Listing } from '@holdfast/contracts/listings'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'
import { PictureRemovalTimer } from './picture-removal.timer.js'

let service: RunningListing
let [ana, ben] = [person('Ana'), person('Ben')]
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service.stop())
beforeEach(() => {
  ;[ana, ben] = [person('Ana'), person('Ben')]
})

const randomPicture = () => pictureUrl(Math.floor(Math.random() * 255), 40 + Math.floor(Math.random() * 400))
const hashOf = ({ images }: Listing) => images[0]!.split('/').at(-1)!
const tell = (definition: EventDefinition, key: string, payload: object) =>
  publishAs(
    definition.topic.startsWith('identity') ? 'identity-svc' : 'dispute-svc',
    service.database,
    newEvent(definition, key, payload as never, new Date()),
  )

async function close({ id, user }: Person): Promise<void> {
  const name = { firstName: 'Closed account', lastName: '', username: `_closed_${id}` }
  const erased = { ...user, ...name, emailConfirmed: true, takenOverAt: null }
  await tell(userUpdated, id, { user: erased })
  await tell(userClosed, id, { userId: id, closingId: newId(), at: new Date().toISOString() })
  await eventually(async () => (await one('SELECT closed_at FROM listing.seller WHERE id = $1', id))?.closed_at)
}

const one = async (sql: string, ...values: unknown[]) => (await service.database.admin.query(sql, values)).rows[0]
const rowOf = ({ id }: Listing) => one('SELECT * FROM listing.listing WHERE id = $1', id)
const isStored = async (hash: string) => (await service.storage.findFile(hash)) !== undefined
/** Has the picture of a listing scaled down, and returns the hash under which the copy is stored. */
async function scaledHash({ images }: Listing): Promise<string> {
  const answer = await service.fetch(`${images[0]}/320`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
  return JSON.parse(answer.headers.get('etag')!)
}
const dealt = (listing: Listing, buyer: Person) =>
  service.database.admin.query('INSERT INTO listing.listing_buyer (listing_id, buyer_id) VALUES ($1, $2)', [
    listing.id,
    buyer.id,
  ])

test('a closed account sells nothing more, and what never had a deal is erased with its signature', async () => {
  const unsold = await service.created(ana, {
    title: 'Zebrawood box',
    description: 'From Vexmoor',
    location: 'Vexmoor',
  })
  const sold = await service.created(ana, { title: 'A clock', location: 'Vexmoor' })
  await dealt(sold, ben)
  await close(ana)
  expect(await rowOf(unsold)).toMatchObject({
    status: 'inactive',
    withdrawn: true,
    title: 'Erased',
    description: 'Erased',
    location: null,
    image_hashes: [],
    search_text: '',
  })
  expect(await rowOf(sold)).toMatchObject({ status: 'inactive', title: 'A clock', location: 'Vexmoor' })
  const signed = async (listing: Listing) =>
    one('SELECT * FROM listing.legal_acceptance WHERE listing_id = $1', listing.id)
  expect(await signed(unsold)).toBeUndefined()
  expect(await signed(sold)).toBeTruthy()
})

test('a listing whose deal was cancelled stays off sale, also when that event comes after the closing', async () => {
  const listing = await service.created(ana)
  await service.deal('transactionOpened', 7001, listing, { buyerId: ben.id })
  await close(ana)
  await service.deal('transactionCancelled', 7001, listing, { buyerId: ben.id })
  expect(await rowOf(listing)).toMatchObject({ status: 'inactive', withdrawn: true, title: listing.title })
})

test('invitations end, and the addresses in them are erased', async () => {
  const hidden = await service.created(ana, { isPrivate: true })
  const { status, body } = await service.client.request<{ token: string }>(
    'POST',
    `/internal/listings/${hidden.id}/invitations`,
    {
      actor: ana.actor,
      body: { invitation: { inviteeEmail: 'guest@example.com' }, ownerConfirmed: true, isMailed: true },
    },
  )
  expect(status).toBe(201)
  await close(ana)
  expect(await one('SELECT * FROM listing.invitation WHERE listing_id = $1', hidden.id)).toMatchObject({
    invitee_email: null,
    revoked_at: expect.any(Date),
  })
  const opened = await service.client.request('GET', `/api/invitation/${body.token}`, { actor: null })
  expect(opened.status).toBe(410)
})

test('nothing is listed for a closed account any more', async () => {
  await service.created(ana)
  await close(ana)
  expect(await service.create(ana)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
})

test('its pictures are removed once no evidence has them, but not those that a listing of others has', async () => {
  const [own, shared] = [await randomPicture(), await randomPicture()]
  const first = await service.created(ana, { images: [own] })
  const second = await service.created(ana, { images: [shared] })
  const ofBen = await service.created(ben, { images: [shared] })
  const kept = await service.created(ana, { images: [await randomPicture()] })
  await dealt(kept, ben)
  expect(hashOf(second)).toBe(hashOf(ofBen))
  const [scaled, ofBenScaled] = [await scaledHash(first), await scaledHash(ofBen)]
  await close(ana)
  const dropped = await eventually(async () => {
    const { rows } = await service.database.admin.query(
      `SELECT payload FROM events.log WHERE key = $1 AND type = 'listing.listing.pictures_dropped.v1'`,
      [ana.id],
    )
    return rows[0]?.payload as { hashes: string[] } | undefined
  })
  expect(new Set(dropped.hashes)).toEqual(new Set([hashOf(first), hashOf(second)]))
  expect([await isStored(hashOf(first)), await isStored(scaled)]).toEqual([true, true])
  await tell(picturesChecked, ana.id, { userId: ana.id, hashes: dropped.hashes })
  await eventually(async () => (await one('SELECT count(*)::int AS n FROM listing.picture_to_remove'))?.n > 0)
  const timer = service.running.app.get(PictureRemovalTimer)
  for (const hash of dropped.hashes) await timer.fire(hash)
  expect([await isStored(hashOf(first)), await isStored(scaled)]).toEqual([false, false])
  expect(await one('SELECT FROM listing.scaled_picture WHERE source_hash = $1', hashOf(first))).toBeUndefined()
  expect([await isStored(hashOf(ofBen)), await isStored(ofBenScaled)]).toEqual([true, true])
  expect(await isStored(hashOf(kept))).toBe(true)
})

test('an account that the owner of its address takes over sells nothing that was listed before, and what they list since stays on sale', async () => {
  const before = await service.created(ana, { title: 'Listed by a stranger' })
  const takenOverAt = new Date().toISOString()
  const takeOver = () => tell(userUpdated, ana.id, { user: { ...ana.user, emailConfirmed: true, takenOverAt } })
  await takeOver()
  await eventually(async () => (await rowOf(before)).status === 'inactive')
  expect(await rowOf(before)).toMatchObject({ title: 'Listed by a stranger', withdrawn: true })
  const since = await service.created(ana, { title: 'Listed by the owner' })
  // Every later event of the user says it, too.
  await takeOver()
  await eventually(() => isCaughtUp('listing-svc', service.database))
  expect(await rowOf(since)).toMatchObject({ status: 'active', withdrawn: false })
})
