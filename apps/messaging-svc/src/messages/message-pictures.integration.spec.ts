import { readFile } from 'node:fs/promises'
import type { Message } from '@holdfast/contracts/messages'
import { newId } from '@holdfast/kernel/ids'
import { MAX_MESSAGE_IMAGES } from '@holdfast/kernel/messages'
import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { UploadedPictures } from '@holdfast/pictures/uploaded-pictures'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import sharp from 'sharp'
import { DataSource } from 'typeorm'
import { RunningMessaging, TestDeal } from '../../test/running-messaging.js'
import { DealKeys } from '../deals/deal-keys.js'
import { MessagePictures } from './message-pictures.js'
import { MessagesService } from './messages.service.js'
import { ABANDONED_AFTER_SECONDS, PictureRemovalJob } from './picture-removal-job.js'

let messaging: RunningMessaging
beforeAll(async () => {
  messaging = await RunningMessaging.start()
})
afterAll(() => messaging.stop())

const NOT_A_PICTURE = 'data:image/png;base64,AAAA'
const LOCATION = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } }

/** A photo as a phone sends it: with the place where it was taken. */
async function aPhoto(red: number): Promise<string> {
  const create = { width: 40, height: 30, channels: 3, background: { r: red, g: 40, b: 90 } } as const
  const jpeg = await sharp({ create }).withExif(LOCATION).jpeg().toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}

async function openDeal(): Promise<TestDeal> {
  const deal = new TestDeal()
  await messaging.publish(deal.opened())
  return deal
}

interface Sent {
  readonly content?: string | undefined
  readonly images?: readonly unknown[]
}
const post = (deal: TestDeal, body: Sent, headers: Record<string, string> = {}, actor: UserActor = deal.buyer) =>
  messaging.client.request<Message>('POST', deal.messagesPath, { actor, body: { content: '', ...body }, headers })
const get = (path: string, actor: UserActor | null, headers: Record<string, string> = {}) =>
  messaging.client.fetch('GET', path, { actor, headers })
const said = async (deal: TestDeal) => {
  const { body } = await messaging.client.request<Message[]>('GET', deal.messagesPath, { actor: deal.seller })
  return body.filter(({ isSystem }) => !isSystem)
}
const redOf = async (answer: Response): Promise<number> => {
  const { data } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  return data[0]!
}
const fieldsOf = (body: unknown) => (body as { details?: { fields?: object } }).details?.fields

describe('pictures of a message', () => {
  test('are read by both parties in their order, without the place where they were taken, and kept by nobody', async () => {
    const deal = await openDeal()
    const { status, body } = await post(deal, { images: [await aPhoto(200), await aPhoto(20)] })
    expect([status, body.content, body.images.length]).toEqual([201, '', 2])
    expect(await said(deal)).toEqual([body])
    for (const actor of [deal.buyer, deal.seller]) {
      const answer = await get(body.images[0]!.url, actor)
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        'private, no-store',
      ])
      const jpeg = Buffer.from(await answer.arrayBuffer())
      expect((await sharp(jpeg).metadata()).exif).toBeUndefined()
    }
    const reds = [
      await redOf(await get(body.images[0]!.url, deal.seller)),
      await redOf(await get(body.images[1]!.url, deal.seller)),
    ]
    expect(reds[0]).toBeGreaterThan(150)
    expect(reds[1]).toBeLessThan(80)
  })

  test('are not told to anybody else, nor under another message, deal or number', async () => {
    const [deal, other] = [await openDeal(), await openDeal()]
    const { body } = await post(deal, { content: 'The crack', images: [await aPhoto(90)] })
    const [{ url }] = body.images as [{ url: string }]
    const wrong = [
      [url, userActor()],
      [url, { ...userActor(), role: 'admin' as const }],
      [url.replace(`/${deal.id}/`, `/${other.id}/`), other.buyer],
      [url.replace(body.id, newId()), deal.buyer],
      [url.replace(/0$/, '1'), deal.buyer],
      [url.replace(/0$/, '9'), deal.buyer],
    ] as const
    for (const [path, actor] of wrong) expect([path, (await get(path, actor)).status]).toEqual([path, 404])
    expect((await get(url, null)).status).toBe(401)
  })

  test('are read with their chat for the gateway, which asks for a mediator, also when the deal is hidden; by a party they are not', async () => {
    const deal = await openDeal()
    const { body } = await post(deal, { content: 'The crack', images: [await aPhoto(200)] })
    await post(deal, { content: 'Sorry' }, {}, deal.seller)
    await messaging.database.admin.query('UPDATE messaging.deals SET hidden = true WHERE transaction_id = $1', [
      deal.id,
    ])
    expect((await get(body.images[0]!.url, deal.buyer)).status).toBe(404)
    const path = `/internal/transactions/${deal.id}/messages`
    const chat = await messaging.client.request<Message[]>('GET', path)
    expect(chat.body.map(({ content, images }) => [content, images.length])).toEqual([
      [expect.any(String), 0],
      ['The crack', 1],
      ['Sorry', 0],
    ])
    const ask = (n: number) => messaging.client.request<{ jpeg: string }>('GET', `${path}/${body.id}/images/${n}`)
    const answer = new Response(Buffer.from((await ask(0)).body.jpeg, 'base64'))
    expect(await redOf(answer)).toBeGreaterThan(150)
    expect((await ask(1)).status).toBe(404)
  })

  test('stand in the storage encrypted, and cannot be put in place of each other', async () => {
    const deal = await openDeal()
    const { body } = await post(deal, { images: [await aPhoto(200), await aPhoto(20)] })
    const { body: other } = await post(deal, { images: [await aPhoto(30), await aPhoto(40)] })
    const files = await messaging.storage.files()
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const file of files) expect((await readFile(file)).includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false)
    const { admin } = messaging.database
    await admin.query(
      `UPDATE messaging.message_pictures p SET object_key = other.object_key FROM messaging.message_pictures other
       WHERE p.message_id = $1 AND p.n = 0 AND other.message_id = $1 AND other.n = 1`,
      [body.id],
    )
    expect((await get(body.images[0]!.url, deal.buyer)).status).toBe(500)
    expect((await get(body.images[1]!.url, deal.buyer)).status).toBe(200)
    // Neither in the same place of another message.
    expect((await get(other.images[1]!.url, deal.buyer)).status).toBe(200)
    await admin.query(
      `UPDATE messaging.message_pictures p SET object_key = other.object_key FROM messaging.message_pictures other
       WHERE p.message_id = $1 AND other.message_id = $2 AND p.n = 1 AND other.n = 1`,
      [other.id, body.id],
    )
    expect((await get(other.images[1]!.url, deal.buyer)).status).toBe(500)
  })

  test('make a message without words, and the list of chats counts them', async () => {
    const deal = await openDeal()
    await post(deal, { content: '  ', images: [await aPhoto(10), await aPhoto(11)] })
    const { body } = await messaging.client.request<{ lastMessage: object }[]>('POST', '/internal/conversations', {
      actor: deal.seller,
      body: { limit: 5, unread: true },
    })
    expect(body.map(({ lastMessage }) => lastMessage)).toMatchObject([{ content: '', images: 2 }])
  })

  test('may be larger than other requests', async () => {
    const deal = await openDeal()
    const noise = { width: 900, height: 700, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 } } as const
    const png = await sharp({ create: { ...noise, background: '#000' } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const image = `data:image/png;base64,${png.toString('base64')}`
    expect(image.length).toBeGreaterThan(MAX_REQUEST_BYTES)
    expect((await post(deal, { images: [image] })).status).toBe(201)
  })
})

describe('what is refused', () => {
  test('is named by its field, and nothing of the message is posted or stored', async () => {
    const deal = await openDeal()
    const photo = await aPhoto(1)
    const stored = (await messaging.storage.files()).length
    const refused = await post(deal, { content: 'Two', images: [photo, NOT_A_PICTURE] })
    expect([refused.status, fieldsOf(refused.body)]).toEqual([
      400,
      { 'images.1': expect.stringContaining('must be an image') },
    ])
    for (const [body, field] of [
      [{ images: Array(MAX_MESSAGE_IMAGES + 1).fill(photo) }, 'images'],
      [{ images: ['https://example.com/a.png'] }, 'images.0'],
      [{ images: [7] }, 'images.0'],
      [{ content: ' ', images: [] }, 'content'],
      [{ content: undefined }, 'content'],
    ] as const) {
      const answer = await post(deal, body)
      expect([answer.status, Object.keys(fieldsOf(answer.body) ?? {})]).toEqual([400, [field]])
    }
    expect(await said(deal)).toEqual([])
    expect((await messaging.storage.files()).length).toBe(stored)
  })

  test('a stranger’s pictures are not decoded', async () => {
    const deal = await openDeal()
    expect((await post(deal, { images: [NOT_A_PICTURE] }, {}, userActor())).status).toBe(404)
  })
})

test('pictures of a sender who has left while they were decoded are neither stored nor posted', async () => {
  const deal = await openDeal()
  const { app } = messaging.running
  const stored = (await messaging.storage.files()).length
  const leaving = new AbortController()
  const uploaded = app.get(UploadedPictures)
  const encodeList = uploaded.encodeList.bind(uploaded)
  const decoding = jest.spyOn(uploaded, 'encodeList').mockImplementationOnce(async (images, sender) => {
    const jpegs = await encodeList(images, sender)
    leaving.abort()
    await eventually(() => sender.left.aborted)
    return jpegs
  })
  const posting = jest.spyOn(app.get(MessagesService), 'post')
  const body = { content: 'See', images: [await aPhoto(90)] }
  const sent = messaging.client.request('POST', deal.messagesPath, { actor: deal.buyer, body, signal: leaving.signal })
  await expect(sent).rejects.toThrow('aborted')
  await expect(posting.mock.results[0]!.value).rejects.toThrow()
  for (const spy of [decoding, posting]) spy.mockRestore()
  expect(await said(deal)).toEqual([])
  expect((await messaging.storage.files()).length).toBe(stored)
})

describe('a repeated request', () => {
  test('posts once, stores once, and another picture under the same key is refused', async () => {
    const deal = await openDeal()
    const [photo, other] = [await aPhoto(60), await aPhoto(61)]
    const key = { 'idempotency-key': newId() }
    const first = await post(deal, { content: 'See', images: [photo] }, key)
    const stored = (await messaging.storage.files()).length
    const again = await post(deal, { content: 'See', images: [photo] }, key)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect((await post(deal, { content: 'See', images: [other] }, key)).body).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    })
    expect((await post(deal, { content: 'See' }, key)).body).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    // What is no picture is refused before the request is hashed and compared.
    expect((await post(deal, { images: [NOT_A_PICTURE] }, key)).body).toMatchObject({ code: 'IMAGE_INVALID' })
    expect((await messaging.storage.files()).length).toBe(stored)
    expect((await said(deal)).length).toBe(1)
  })

  test('that comes at the same time leaves one message, and what it stored for nothing is removed later', async () => {
    const deal = await openDeal()
    const photo = await aPhoto(77)
    const key = { 'idempotency-key': newId() }
    const before = (await messaging.storage.files()).length
    const answers = await Promise.all([1, 2, 3].map(() => post(deal, { images: [photo] }, key)))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await said(deal)).length).toBe(1)
    const { admin } = messaging.database
    const job = messaging.running.app.get(PictureRemovalJob)
    await job.run()
    const unposted = 'SELECT count(*)::int AS n FROM messaging.message_pictures WHERE NOT is_posted'
    const { n: left } = (await admin.query<{ n: number }>(unposted)).rows[0]!
    expect((await messaging.storage.files()).length).toBe(before + 1 + left)
    await admin.query(
      `UPDATE messaging.message_pictures SET created_at = now() - interval '${ABANDONED_AFTER_SECONDS + 1} seconds'`,
    )
    await job.run()
    expect((await admin.query<{ n: number }>(unposted)).rows[0]!.n).toBe(0)
    expect((await messaging.storage.files()).length).toBe(before + 1)
    expect((await get(answers[0]!.body.images[0]!.url, deal.seller)).status).toBe(200)
  })
})

test('pictures of a message that is not posted stay while its request may go on, and are removed afterwards', async () => {
  const deal = await openDeal()
  await said(deal)
  const { app } = messaging.running
  const { admin } = messaging.database
  const key = await app
    .get(DealKeys)
    .openOrMake(app.get(DataSource), { transactionId: deal.id, keyId: null, wrappedKey: null })
  const before = (await messaging.storage.files()).length
  const id = newId()
  await app.get(MessagePictures).store([Buffer.from('a picture')], deal.id, id, key)
  expect((await get(`${deal.messagesPath}/${id}/images/0`, deal.buyer)).status).toBe(404)
  for (const [age, kept] of [
    [ABANDONED_AFTER_SECONDS - 60, 1],
    [ABANDONED_AFTER_SECONDS + 1, 0],
  ] as const) {
    await admin.query(
      `UPDATE messaging.message_pictures SET created_at = now() - $2 * interval '1 second' WHERE transaction_id = $1`,
      [deal.id, age],
    )
    await app.get(PictureRemovalJob).run()
    expect((await messaging.storage.files()).length).toBe(before + kept)
  }
})

test('an answer that the release before has stored is given without pictures', async () => {
  const deal = await openDeal()
  const key = { 'idempotency-key': newId() }
  const { body } = await post(deal, { content: 'Old' }, key)
  await messaging.database.admin.query(
    `UPDATE messaging.idempotency_key SET answer = answer - 'images' WHERE key = $1`,
    [key['idempotency-key']],
  )
  expect(await post(deal, { content: 'Old' }, key)).toMatchObject({ status: 201, body: { ...body, images: [] } })
})
