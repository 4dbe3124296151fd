import { connect } from 'node:net'
import { MAX_IMAGE_BYTES } from '@holdfast/kernel/images'
import { MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import { MAX_PIXELS_PER_USER } from '@holdfast/pictures/pixel-budget'
import { ACTOR_HEADER } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import sharp from 'sharp'
import { dataUrl, listingInput, person, pictureUrl, RunningListing } from '../../test/running-listing.js'

const ana = person('Ana')

let service: RunningListing
beforeAll(async () => {
  service = await RunningListing.start()
})
afterAll(() => service?.stop())

const noise = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  })

describe('a listing’s pictures', () => {
  it('are in the requested order, as immutable JPEGs', async () => {
    const jpeg = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'blue' } })
      .jpeg()
      .toBuffer()
    const { images } = await service.created(ana, { images: [await pictureUrl(250), dataUrl(jpeg, 'image/jpeg')] })
    const sizes: (number | undefined)[] = []
    for (const path of images) {
      const answer = await service.fetch(path)
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        etag: `"${path.slice(-64)}"`,
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(Number(answer.headers.get('content-length'))).toBe(bytes.length)
      sizes.push((await sharp(bytes).metadata()).width)
    }
    expect(sizes).toEqual([40, 30])
  })

  it('contain no location or camera data', async () => {
    const exif = { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } }
    const told = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'blue' } })
      .withExif(exif)
      .jpeg()
      .toBuffer()
    expect(told.includes('Exif')).toBe(true)
    const { images } = await service.created(ana, { images: [dataUrl(told, 'image/jpeg')] })
    const bytes = Buffer.from(await (await service.fetch(images[0]!)).arrayBuffer())
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
    expect(bytes.includes('Exif')).toBe(false)
  })

  it('are stored once, although they are sent several times', async () => {
    const image = await pictureUrl(77)
    const first = await service.created(ana, { images: [image, image] })
    const before = await service.objects()
    const second = await service.created(person('Ben'), { images: [image] })
    expect(new Set([...first.images, ...second.images]).size).toBe(1)
    expect(await service.objects()).toBe(before)
  })

  it('are not sent again to a browser that has them', async () => {
    const { images } = await service.created(ana, { images: [await pictureUrl(78)] })
    const answer = await service.fetch(images[0]!, { 'if-none-match': `"${images[0]!.slice(-64)}"` })
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([304, 0])
  })

  it.each(['0'.repeat(64), 'x', '..%2f..%2fetc%2fpasswd', 'A'.repeat(64)])('are not found under %s', async hash => {
    expect((await service.fetch(`/api/images/${hash}`)).status).toBe(404)
  })

  it('can be twenty, and large ones are scaled down', async () => {
    const images = await Promise.all(Array.from({ length: 20 }, (_, i) => pictureUrl(i * 10)))
    images[3] = dataUrl(await noise(2400, 1200).jpeg().toBuffer(), 'image/jpeg')
    const listing = await service.created(ana, { images })
    expect(listing.images).toHaveLength(20)
    const bytes = Buffer.from(await (await service.fetch(listing.images[3]!)).arrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1600, height: 800 })
  })
})

describe('a listing is refused with', () => {
  const refusal = async (bad: string) => {
    const before = await service.objects()
    const { status, body } = await service.create<{ code: string; details: { fields: object } }>(ana, {
      images: [await pictureUrl(1), await pictureUrl(2), bad],
    })
    expect(await service.objects()).toBe(before)
    return { status, code: body.code, fields: Object.keys(body.details.fields) }
  }
  const asked = async (format: 'gif' | 'avif' | 'tiff') =>
    dataUrl(await noise(20, 20)[format]().toBuffer(), 'image/jpeg')

  it.each([
    ['an SVG', async () => dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['an SVG that says it is a PNG', async () => dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
    ['a GIF', () => asked('gif')],
    ['an AVIF', () => asked('avif')],
    ['a TIFF', () => asked('tiff')],
    ['a cut-off JPEG', async () => dataUrl((await noise(99, 99).jpeg().toBuffer()).subarray(0, 1500), 'image/jpeg')],
    ['a picture with an appended archive', async () => `${await pictureUrl(9)}UEsDBA==`.replace(/=+(?=U)/, '')],
    ['no base64', async () => 'data:image/png;base64,<script>'],
    ['nothing', async () => 'data:image/png;base64,'],
  ])('%s; the refusal names the field, and nothing is stored', async (_, make) => {
    expect(await refusal(await make())).toEqual({ status: 400, code: 'IMAGE_INVALID', fields: ['images.2'] })
  })

  it('more than 40 megapixels', async () => {
    const vast = await sharp({ create: { width: 9000, height: 5000, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    expect(await refusal(dataUrl(vast))).toEqual({ status: 400, code: 'IMAGE_TOO_LARGE', fields: ['images.2'] })
  })

  it('more than 10 MB', async () => {
    const heavy = Buffer.alloc(MAX_IMAGE_BYTES + 1, 0xff)
    expect(await refusal(dataUrl(heavy))).toEqual({ status: 400, code: 'IMAGE_TOO_LARGE', fields: ['images.2'] })
  })

  it('twenty-one pictures', async () => {
    const images = Array.from({ length: 21 }, () => 'data:image/png;base64,AAAA')
    expect(await service.create(ana, { images })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })

  it('a text that is not a data URL of an image', async () => {
    for (const bad of ['data:text/html;base64,AAAA', 'https://example.test/x.png', '/api/images/x', 7]) {
      expect((await service.create(ana, { images: [bad] })).status).toBe(400)
    }
  })

  it('a request of more than 32 MB', async () => {
    const heavy = dataUrl(Buffer.alloc(9 * 1024 * 1024, 1))
    const answer = await service.create(ana, { images: [heavy, heavy, heavy] })
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
  })
})

describe('pictures that take long to decode', () => {
  /** A file of a few kilobytes with as many pixels as are allowed. */
  const largest = async () =>
    dataUrl(
      await sharp({ create: { width: 8000, height: 5000, channels: 3, background: 'red' } })
        .png({ compressionLevel: 9, palette: true })
        .toBuffer(),
    )

  it('do not keep another user waiting, and are refused once their sender has spent the budget', async () => {
    const image = await largest()
    const attacker = person('Eve')
    const ended: string[] = []
    const codeOf = async (sender: typeof attacker) => {
      const { status, body } = await service.create<{ code?: string }>(sender, { images: [image] })
      if (status === 201) ended.push(sender.user.firstName)
      return body.code ?? status
    }
    const sent = Array.from({ length: 30 }, () => codeOf(attacker))
    const honest = [codeOf(person('Ida')), codeOf(person('Jon'))]
    expect(await Promise.all(honest)).toEqual([201, 201])
    const codes = await Promise.all(sent)
    expect(new Set(codes)).toEqual(new Set([201, 'RATE_LIMITED']))
    expect(ended.at(-1)).toBe('Eve')
    expect(codes.filter(code => code === 201).length).toBe(MAX_PIXELS_PER_USER / 40_000_000)
    expect(await codeOf(attacker)).toBe('RATE_LIMITED')
  })

  it.each([1, 2])(
    'do not become a listing when their sender has left while the first of %d was decoded',
    async count => {
      const image = await largest()
      const impatient = person('Kim')
      const { actor, user, id } = impatient
      const listing = listingInput({ images: Array.from({ length: count }, () => image) })
      const left = new AbortController()
      const body = { listing, seller: user, counterpartyId: null }
      const sent = service.client.fetch('POST', '/internal/listings', { actor, body, signal: left.signal })
      const refused = expect(sent).rejects.toThrow()
      const kilopixels = async () => {
        const sql = 'SELECT points FROM listing.attempts WHERE key = $1'
        return (await service.database.admin.query(sql, [`kilopixels:${id}`])).rows[0]?.points
      }
      await eventually(kilopixels)
      left.abort()
      await refused
      // The two take turns, so all pictures of the first user would be decoded before the last one of the second.
      await service.created(person('Leo'), { images: Array.from({ length: count + 1 }, () => image) })
      expect((await service.list(`?sellerId=${id}`, impatient)).body).toEqual([])
      // The pictures that waited were not decoded.
      expect(await kilopixels()).toBe(40_000)
    },
  )
})

describe('many large requests at once', () => {
  it('are each answered', async () => {
    const images = [dataUrl(await noise(700, 700).png().toBuffer())]
    expect(images[0]!.length).toBeGreaterThan(MAX_REQUEST_BYTES)
    const answers = await Promise.all(Array.from({ length: 6 }, () => service.create(ana, { images })))
    expect(answers.map(answer => answer.status)).toEqual(answers.map(() => 201))
  })

  it('allow others to start when their sender disconnects', async () => {
    const images = [dataUrl(await noise(700, 700).png().toBuffer())]
    const body = JSON.stringify({ listing: listingInput({ images }), seller: ana.user, counterpartyId: null })
    const leave = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(service.running.port, '127.0.0.1', () => {
          const head = `POST /internal/listings HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
          const signature = service.signature('POST', '/internal/listings', ana, body)
          socket.write(`${head}\r\n${ACTOR_HEADER}: ${signature}\r\n\r\n`)
          socket.write(body.slice(0, 1000), () => setTimeout(() => socket.destroy(), 50).unref())
        })
        // An answer would be a refusal, and what is refused takes no slot.
        socket.once('data', answer => reject(new Error(`answered: ${answer}`)))
        socket.on('close', () => resolve())
      })
    await Promise.all(Array.from({ length: 6 }, leave))
    expect((await service.create(ana, { images })).status).toBe(201)
  })
})
