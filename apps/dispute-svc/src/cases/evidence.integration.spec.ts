import type { Evidence } from '@holdfast/contracts/disputes'
import { MAX_EVIDENCE_IMAGES } from '@holdfast/kernel/disputes'
import { MAX_IMAGE_BYTES } from '@holdfast/kernel/images'
import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { MAX_PIXELS_PER_USER } from '@holdfast/pictures/pixel-budget'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import pg from 'pg'
import sharp from 'sharp'
import { aPhoto, dataUrl, sha256 } from '../../test/a-photo.js'
import { aDeal } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'
import { plan } from '../migrations/plan.js'

let disputes: RunningDispute
beforeAll(async () => {
  disputes = await RunningDispute.start()
})
afterAll(() => disputes?.stop())

const NOT_A_PICTURE = 'data:image/png;base64,AAAA'
const aMediator = (): UserActor => ({ ...userActor(), role: 'admin' })
const aDispute = () => disputes.aDispute()

/** A dispute with a picture of the seller. */
async function withPicture() {
  const dispute = await aDispute()
  const { status, body } = await disputes.addEvidence(dispute.id, dispute.seller, [dataUrl(await aPhoto())])
  expect(status).toBe(201)
  return { ...dispute, picture: body.images[0]! }
}

const fetchPicture = (path: string, actor: UserActor, headers: Record<string, string> = {}) =>
  disputes.client.fetch('GET', path, { actor, headers })

describe('a picture of the evidence', () => {
  test('of either party has nothing but its pixels, and its bytes have the hash that the entry names', async () => {
    const { id, buyer, seller } = await aDispute()
    const photos = await Promise.all([aPhoto(10), aPhoto(20)])
    for (const photo of photos) expect(photo.includes('Exif')).toBe(true)
    for (const [party, other] of [
      [buyer, seller],
      [seller, buyer],
    ] as const) {
      const { status, body } = await disputes.addEvidence(id, party, photos.map(dataUrl))
      expect([status, body.images.length]).toEqual([201, 2])
      for (const { url, sha256: hash } of body.images) {
        const bytes = Buffer.from(await (await fetchPicture(url, other)).arrayBuffer())
        expect(sha256(bytes)).toBe(hash)
        expect(await sharp(bytes).metadata()).not.toHaveProperty('exif')
        expect(bytes.includes('Exif')).toBe(false)
      }
    }
  })

  test('is sent to both parties and to mediators, and is kept by no browser', async () => {
    const { buyer, seller, picture } = await withPicture()
    for (const reader of [buyer, seller, aMediator()]) {
      const answer = await fetchPicture(picture.url, reader)
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        etag: `"${picture.sha256}"`,
      })
      await answer.arrayBuffer()
    }
    expect((await fetchPicture(picture.url, buyer, { 'if-none-match': `"${picture.sha256}"` })).status).toBe(304)
  })

  test('does not exist for anyone else, as one that was never added', async () => {
    const { id, buyer, picture } = await withPicture()
    const known = { 'if-none-match': `"${picture.sha256}"` }
    const others = [userActor(), (await aDispute()).buyer, userActor()]
    for (const other of others) expect((await fetchPicture(picture.url, other, known)).status).toBe(404)
    for (const path of ['1/images/1', '2/images/0', `${Number.MAX_SAFE_INTEGER}/images/0`, '1/images/10', '0/images/0'])
      expect((await fetchPicture(`/api/disputes/${id}/evidence/${path}`, buyer)).status).toBe(404)
  })

  test('can be larger than other requests, and is scaled down', async () => {
    const { id, buyer, seller } = await aDispute()
    const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const
    const large = await sharp({ create: { width: 2000, height: 1000, channels: 3, background: 'red', noise } })
      .jpeg()
      .toBuffer()
    expect(large.length).toBeGreaterThan(MAX_REQUEST_BYTES)
    const { body } = await disputes.addEvidence(id, buyer, [dataUrl(large)])
    const bytes = Buffer.from(await (await fetchPicture(body.images[0]!.url, seller)).arrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1600, height: 800 })
  })
})

describe('evidence is refused, and nothing is stored,', () => {
  const refusal = async (id: number, who: UserActor, images: string[]) => {
    const [objects, entries] = [await disputes.objects(), await entriesOf(id)]
    const { status, body } = await disputes.addEvidence(id, who, images)
    expect([await disputes.objects(), await entriesOf(id)]).toEqual([objects, entries])
    return { status, code: body.code, fields: Object.keys(body.details?.fields ?? {}) }
  }
  const entriesOf = async (id: number) =>
    (await disputes.database.admin.query('SELECT n FROM dispute.evidence WHERE dispute_id = $1', [id])).rowCount
  /** How many thousand pixels of a user were decoded. The bytes of what is no picture count as pixels. */
  const kilopixelsOf = async ({ id }: UserActor): Promise<number> => {
    const sql = 'SELECT points FROM dispute.attempts WHERE key = $1'
    return (await disputes.database.admin.query(sql, [`kilopixels:${id}`])).rows[0]?.points ?? 0
  }

  test('with a file that is no picture; the refusal names it', async () => {
    const { id, seller } = await aDispute()
    const photo = dataUrl(await aPhoto(30))
    const invalid = { status: 400, code: 'IMAGE_INVALID' }
    expect(await refusal(id, seller, [NOT_A_PICTURE, photo])).toEqual({ ...invalid, fields: ['images.0'] })
    expect(await refusal(id, seller, [photo, dataUrl(Buffer.from('<svg/>'))])).toEqual({
      ...invalid,
      fields: ['images.1'],
    })
    expect(await kilopixelsOf(seller)).toBe(0)
  })

  test('with a file that begins like a picture and is none; its bytes count as pixels', async () => {
    const { id, seller } = await aDispute()
    const damaged = (await aPhoto()).subarray(0, 100)
    expect(await refusal(id, seller, [dataUrl(damaged)])).toMatchObject({ status: 400, code: 'IMAGE_INVALID' })
    expect(await kilopixelsOf(seller)).toBe(1)
  })

  test('with a picture that is too large, with too many, and with an address in place of a picture', async () => {
    const { id, seller } = await aDispute()
    const heavy = dataUrl(Buffer.alloc(MAX_IMAGE_BYTES + 1, 0xff))
    expect(await refusal(id, seller, [heavy])).toEqual({ status: 400, code: 'IMAGE_TOO_LARGE', fields: ['images.0'] })
    const many = Array.from({ length: MAX_EVIDENCE_IMAGES + 1 }, () => NOT_A_PICTURE)
    expect(await refusal(id, seller, many)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(await refusal(id, seller, ['/api/images/x'])).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })

  test('from a user who has sent too many pixels', async () => {
    const { id, seller } = await aDispute()
    await spendBudget(seller)
    expect(await refusal(id, seller, [dataUrl(await aPhoto())])).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  })

  test('before a picture is decoded: from strangers and mediators, and on a case that takes no evidence', async () => {
    const { id, buyer } = await aDispute()
    const [stranger, mediator] = [userActor(), aMediator()]
    const photo = dataUrl(await aPhoto())
    expect(await refusal(id, stranger, [photo])).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await refusal(id, mediator, [photo])).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await refusal(2 ** 40, buyer, [photo])).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    await disputes.withdraw(id, buyer)
    expect(await refusal(id, buyer, [photo])).toMatchObject({ status: 409, code: 'DISPUTE_WRONG_STATE' })
    for (const user of [stranger, mediator, buyer]) expect(await kilopixelsOf(user)).toBe(0)
  })

  test.each([1, 2])('when the sender has left while the first of %d pictures was decoded', async count => {
    const { id, buyer, seller } = await aDispute()
    const slow = dataUrl(
      await sharp({ create: { width: 8000, height: 5000, channels: 3, background: 'red' } })
        .png({ palette: true })
        .toBuffer(),
    )
    const left = new AbortController()
    const body = { note: 'See', images: Array.from({ length: count }, () => slow) }
    const path = `/api/disputes/${id}/evidence`
    const sent = disputes.client.request('POST', path, { actor: seller, body, signal: left.signal })
    const refused = expect(sent).rejects.toThrow()
    await eventually(() => kilopixelsOf(seller))
    left.abort()
    await refused
    // The two take turns, so all pictures of the seller would be decoded before the last one of the buyer.
    const slower = Array.from({ length: count + 1 }, () => slow)
    expect((await disputes.addEvidence(id, buyer, slower)).body.n).toBe(1)
    expect(await entriesOf(id)).toBe(1)
    // The pictures that waited were not decoded.
    expect(await kilopixelsOf(seller)).toBe(40_000)
  })

  test('on a filing that escrow has not answered, as on one that does not exist', async () => {
    const deal = aDeal()
    disputes.escrow.answer = () => null
    await disputes.file(deal, deal.buyer)
    const [filing] = await disputes.stepsOf(deal.id)
    for (const images of [[], [dataUrl(await aPhoto())]])
      expect(await refusal(filing!.id, deal.buyer, images)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
  })
})

/** Counts all pixels that a user may send as sent. */
const spendBudget = ({ id }: UserActor) =>
  disputes.database.admin.query(
    `INSERT INTO dispute.attempts (key, points, expire) VALUES ($1, $2, (extract(epoch FROM now()) + 600) * 1000)
     ON CONFLICT (key) DO UPDATE SET points = excluded.points`,
    [`kilopixels:${id}`, MAX_PIXELS_PER_USER / 1000],
  )

describe('while the storage of pictures is gone', () => {
  test('the service stays ready, and takes evidence without pictures', async () => {
    const { id, seller } = await aDispute()
    await disputes.storage.without(async () => {
      const readiness = await fetch(`http://127.0.0.1:${disputes.running.opsPort}/readyz`)
      expect(readiness.status).toBe(200)
      expect(await readiness.json()).toMatchObject({ checks: { storage: 'failed' } })
      expect((await disputes.addEvidence(id, seller, [])).status).toBe(201)
    })
  })
})

describe('a repeated request', () => {
  test('gets the first answer, and its pictures are not decoded again', async () => {
    const { id, seller } = await aDispute()
    const images = [dataUrl(await aPhoto(40))]
    const key = 'sent-twice'
    const first = await disputes.addEvidence(id, seller, images, { key })
    await spendBudget(seller)
    expect(await disputes.addEvidence(id, seller, images, { key })).toMatchObject({ status: 201, body: first.body })
    const other = await disputes.addEvidence(id, seller, [dataUrl(await aPhoto(240))], { key })
    expect([other.status, other.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    // What is no picture is refused before the request is hashed and compared.
    const garbage = await disputes.addEvidence(id, seller, [NOT_A_PICTURE], { key })
    expect([garbage.status, garbage.body.code]).toEqual([400, 'IMAGE_INVALID'])
    expect(await disputes.evidenceOf(id, seller)).toEqual([first.body])
  })

  test('that comes at the same moment adds one entry', async () => {
    const { id, seller } = await aDispute()
    const images = [dataUrl(await aPhoto(42))]
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => disputes.addEvidence(id, seller, images, { key: 'at-once' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(await disputes.evidenceOf(id, seller)).toEqual([answers[0]!.body])
  })
})

/** What is wrong with the evidence of a dispute, computed from the answers alone as `docs/architecture.md` says. */
function faultsIn(disputeId: number, evidence: readonly Evidence[]): string[] {
  return evidence.flatMap((entry, index) => {
    const { n, authorId, role, note, images, at, previousSha256 } = entry
    const before = evidence[index - 1]?.sha256 ?? null
    const fields = [disputeId, n, authorId, role, note, images.map(image => image.sha256), at, previousSha256]
    const isRight = n === index + 1 && previousSha256 === before && sha256(JSON.stringify(fields)) === entry.sha256
    return isRight ? [] : [`entry ${n}`]
  })
}

describe('the list of evidence', () => {
  test('can be checked by everyone who reads it: no entry is changed, removed, moved or inserted unnoticed', async () => {
    const { id, buyer, seller } = await aDispute()
    const photo = dataUrl(await aPhoto())
    await disputes.addEvidence(id, buyer, [photo], { note: 'Two\nlines, “quoted”, ü and 🦊' })
    await Promise.all([buyer, seller].map(party => disputes.addEvidence(id, party, [photo])))
    const evidence = await disputes.evidenceOf(id, aMediator())
    expect([evidence.length, faultsIn(id, evidence)]).toEqual([3, []])
    const [first, second, third] = evidence as [Evidence, Evidence, Evidence]
    const changed = { ...second, images: [] }
    for (const forged of [
      [first, changed, third],
      [first, third],
      [second, third],
      [second, first, third],
    ])
      expect(faultsIn(id, forged)).not.toEqual([])
    expect(faultsIn(id + 1, evidence)).not.toEqual([])
  })

  test('cannot be changed by the service itself', async () => {
    const { id } = await withPicture()
    const service = new pg.Client(disputes.database.url(plan.role))
    await service.connect()
    try {
      for (const sql of [
        `UPDATE dispute.evidence SET note = 'x' WHERE dispute_id = ${id}`,
        `DELETE FROM dispute.evidence WHERE dispute_id = ${id}`,
        'TRUNCATE dispute.evidence',
      ])
        await expect(service.query(sql)).rejects.toThrow('permission denied for table evidence')
    } finally {
      await service.end()
    }
  })
})
