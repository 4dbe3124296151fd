import { rm, writeFile } from 'node:fs/promises'
import { IMAGE_WIDTHS, type ImageWidth, scaledImagePath } from '@holdfast/kernel/images'
import { ENGINES } from '@holdfast/testing/engines'
import sharp from 'sharp'
import { type Person, person, pictureUrl, RunningListing } from '../../test/running-listing.js'

const [ana, eve] = [person('Ana'), person('Eve')]

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

let height = 200
/** The path of a picture of 600 pixels' width that no other listing has, and that differs from all others in every width. */
async function newPicture(changes: Record<string, unknown> = {}): Promise<string> {
  height += 40
  const { images } = await service.created(ana, { images: [await pictureUrl(120, 600, height)], ...changes })
  return images[0]!
}

const scaled = (picture: string, width: ImageWidth, viewer?: Person, headers: Record<string, string> = {}) =>
  service.fetch(scaledImagePath(picture, width), headers, viewer)

const storedFile = async (picture: string) => (await service.storage.findFile(picture.slice(-64)))!

describe('a scaled picture', () => {
  it('is a WebP of at most the requested width, which browsers and proxies may keep', async () => {
    const picture = await newPicture()
    const widths: (number | undefined)[] = []
    for (const width of IMAGE_WIDTHS) {
      const answer = await scaled(picture, width)
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect({ status: answer.status, ...Object.fromEntries(answer.headers) }).toMatchObject({
        status: 200,
        'content-type': 'image/webp',
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      const { format, width: got } = await sharp(bytes).metadata()
      expect(format).toBe('webp')
      widths.push(got)
    }
    expect(widths).toEqual([160, 320, 512, 600, 600])
  })

  it('is stored once when many viewers request it at the same time, and is not sent again to a browser that has it', async () => {
    const picture = await newPicture()
    const before = await service.objects()
    const answers = await Promise.all(Array.from({ length: 20 }, () => scaled(picture, 320)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [etag, ...others] = new Set(answers.map(({ headers }) => headers.get('etag')))
    expect(others).toEqual([])
    const again = await scaled(picture, 320, undefined, { 'if-none-match': etag! })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])
    expect(await service.objects()).toBe(before + 1)
  })

  it('is made again when its file was lost', async () => {
    const picture = await newPicture()
    const etag = (await scaled(picture, 160)).headers.get('etag')
    await rm((await service.storage.findFile(etag!.slice(1, -1)))!)
    const answer = await scaled(picture, 160)
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, etag])
  })

  it('has no other widths and no other form of address', async () => {
    const picture = await newPicture()
    const before = await service.objects()
    for (const width of ['0', '161', '0160', '160.0', '1e3', '99999', '-160', '160.webp', 'x']) {
      expect((await service.fetch(`${picture}/${width}`)).status).toBe(404)
    }
    expect(await service.objects()).toBe(before)
  })

  it('of a private listing is made and sent only for those who may see the listing, and is not kept', async () => {
    const picture = await newPicture({ isPrivate: true })
    const before = await service.objects()
    const unknown = `/api/images/${'0'.repeat(64)}/320`
    for (const viewer of [eve, undefined]) {
      const refused = (await (await scaled(picture, 320, viewer)).json()) as { code: string }
      const absent = (await (await service.fetch(unknown, {}, viewer)).json()) as { code: string }
      expect([refused.code, absent.code]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
    }
    expect(await service.objects()).toBe(before)
    const own = await scaled(picture, 320, ana)
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const held = { 'if-none-match': own.headers.get('etag')! }
    expect((await scaled(picture, 320, eve, held)).status).toBe(404)
  })

  // What was damaged in a bucket is never sent (images-on-s3.engines.spec.ts).
  const inFolder = ENGINES ? it.skip : it
  inFolder(
    'that cannot be made is replaced by the stored picture, which no browser keeps under this address',
    async () => {
      const picture = await newPicture()
      await writeFile(await storedFile(picture), 'damaged')
      const answer = await scaled(picture, 320)
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
        200,
        'image/jpeg',
        'private, no-store',
      ])
      expect(await answer.text()).toBe('damaged')
    },
  )

  it('of a picture whose file was lost is not found', async () => {
    const picture = await newPicture()
    await rm(await storedFile(picture))
    expect((await scaled(picture, 320)).status).toBe(404)
  })
})
