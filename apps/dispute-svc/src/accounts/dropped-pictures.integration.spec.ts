import { picturesDropped } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { aPhoto, dataUrl, sha256 } from '../../test/a-photo.js'
import { RunningDispute } from '../../test/running-dispute.js'

let disputes: RunningDispute
beforeAll(async () => {
  disputes = await RunningDispute.start()
})
afterAll(() => disputes?.stop())

const query = async (sql: string, values: unknown[]) => (await disputes.database.admin.query(sql, values)).rows

/** Adds an entry with one picture to a dispute, and returns the picture's hash. */
async function addPicture({ id, seller }: Awaited<ReturnType<RunningDispute['aDispute']>>, red: number) {
  const { body } = await disputes.addEvidence(id, seller, [dataUrl(await aPhoto(red))])
  return body.images[0]!.sha256
}

/** As an earlier release left an entry: it had no encrypted copies, so the entry needs the picture that is stored under its hash. */
const withoutCopy = (id: number, n: number) =>
  query('DELETE FROM dispute.evidence_pictures WHERE dispute_id = $1 AND n = $2', [id, n])

/** The hashes that dispute-svc names as free when listing-svc drops these; undefined when it does not answer. */
async function freeOf(hashes: readonly string[]): Promise<string[] | undefined> {
  const userId = newId()
  const dropped = newEvent(picturesDropped, userId, { userId, hashes: [...hashes] }, new Date())
  await publishAs('listing-svc', disputes.database, dropped)
  await eventually(() => isCaughtUp('dispute-svc', disputes.database))
  await eventually(async () => (await query('SELECT FROM dispute.outbox', [])).length === 0)
  const answers = await query(
    `SELECT payload FROM events.log WHERE key = $1 AND type = 'dispute.dispute.pictures_checked.v1'`,
    [userId],
  )
  return answers[0]?.payload.hashes
}

test('a picture that evidence of an earlier release needs is not named as free; encrypted evidence needs none', async () => {
  const [older, newer] = [await disputes.aDispute(), await disputes.aDispute()]
  // The older entry shares its dispute with an encrypted one, and its number with one of another dispute.
  const needed = await addPicture(older, 10)
  const free = [await addPicture(older, 20), await addPicture(newer, 30), sha256('of no evidence')]
  await withoutCopy(older.id, 1)
  expect(new Set(await freeOf([needed, ...free]))).toEqual(new Set(free))
})

test('a picture that both an entry of an earlier release and an encrypted one have is not free', async () => {
  const [older, newer] = [await disputes.aDispute(), await disputes.aDispute()]
  const hash = await addPicture(older, 40)
  expect(await addPicture(newer, 40)).toBe(hash)
  expect(await freeOf([hash])).toEqual([hash])
  await withoutCopy(older.id, 1)
  expect(await freeOf([hash])).toBeUndefined()
})
