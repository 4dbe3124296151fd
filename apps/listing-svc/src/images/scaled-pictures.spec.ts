import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DomainError } from '@holdfast/kernel/errors'
import type { ImageWidth } from '@holdfast/kernel/images'
import { type ObjectStorage, objectKey, type StoredObject } from '@holdfast/storage/object-storage'
import sharp from 'sharp'
import { MAX_REQUESTS_WAITING, ScaledPictures } from './scaled-pictures.js'

const WAIT_MS = 50
/** A picture that a test expects is waited for this long: other tests share the processor with the one that makes it. */
const PATIENCE_MS = 30_000

/** A storage in memory. A test replaces a method to make it fail. */
class MemoryStorage implements ObjectStorage {
  readonly objects = new Map<string, Buffer>()

  async put(key: string, bytes: Uint8Array): Promise<void> {
    this.objects.set(key, Buffer.from(bytes))
  }

  async get(key: string): Promise<StoredObject | null> {
    const bytes = this.objects.get(key)
    if (!bytes) return null
    return { stream: Readable.from(bytes, { objectMode: false }), contentType: 'image/jpeg', sizeBytes: bytes.length }
  }

  async remove(key: string): Promise<void> {
    this.objects.delete(key)
  }

  async check(): Promise<void> {}
}

let jpeg: Buffer
let source: string
let storage: MemoryStorage
let rows: Map<string, string>
/** The pixels that were counted, one value for each picture that was made. */
let spent: number[]
let budgetLeft: boolean
let scaled: ScaledPictures

beforeAll(async () => {
  jpeg = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  source = objectKey(jpeg)
})

const replica = (beforeAnswer = async () => {}) =>
  new ScaledPictures(
    storage,
    {
      find: async ({ source, width }) => {
        const found = rows.get(`${source}/${width}`) ?? null
        await beforeAnswer()
        return found
      },
      add: async ({ source, width }, hash) => void rows.set(`${source}/${width}`, hash),
    },
    {
      spend: async (_, pixels) => {
        if (!budgetLeft) throw new DomainError('RATE_LIMITED')
        spent.push(pixels)
      },
    },
  )

/** A replica for which something happens between its first lookup and the answer. */
function scaledAfter(happens: () => Promise<unknown>): ScaledPictures {
  let isFirst = true
  return replica(async () => {
    if (isFirst) {
      isFirst = false
      await happens()
    }
  })
}

beforeEach(() => {
  storage = new MemoryStorage()
  storage.objects.set(source, jpeg)
  rows = new Map()
  spent = []
  budgetLeft = true
  scaled = replica()
})

/** The size of the picture that a viewer gets, or null. */
async function sizeOf(width: ImageWidth = 160, of = scaled) {
  const found = await of.find({ source, width }, 'ana', PATIENCE_MS)
  if (!found) return null
  const bytes = await buffer(found.object.stream)
  expect(found.hash).toBe(objectKey(bytes))
  const { format, width: w, height: h } = await sharp(bytes).metadata()
  return `${format} ${w}x${h}`
}

describe('a scaled picture', () => {
  it('is a WebP of the requested width, and never larger than the picture', async () => {
    expect(await sizeOf(160)).toBe('webp 160x80')
    expect(await sizeOf(1440)).toBe('webp 400x200')
  })

  it('is made once, although many request it at the same time and later', async () => {
    const sizes = await Promise.all(Array.from({ length: 30 }, () => sizeOf()))
    expect(new Set(sizes)).toEqual(new Set(['webp 160x80']))
    expect(await sizeOf()).toBe('webp 160x80')
    expect(spent).toEqual([400 * 200])
    expect([rows.size, storage.objects.size]).toEqual([1, 2])
  })

  it('is not made again for a request that looked it up just before another one made it', async () => {
    const late = scaledAfter(() => sizeOf())
    expect(await sizeOf(160, late)).toBe('webp 160x80')
    expect(spent).toHaveLength(1)
  })

  it('is the same object when two replicas make it at the same time', async () => {
    expect(await Promise.all([sizeOf(160, scaled), sizeOf(160, replica())])).toEqual(['webp 160x80', 'webp 160x80'])
    expect(storage.objects.size).toBe(2)
  })

  it('is made again when the process was killed after it stored the picture and before it noted the key', async () => {
    await sizeOf()
    rows.clear()
    expect(await sizeOf(160, replica())).toBe('webp 160x80')
    expect([rows.size, storage.objects.size]).toEqual([1, 2])
  })

  it('is made again when the storage has lost it', async () => {
    await sizeOf()
    storage.objects.delete([...rows.values()][0]!)
    expect(await sizeOf()).toBe('webp 160x80')
    expect(storage.objects.size).toBe(2)
  })

  it('is sent although the disk is full, and is made again for the next viewer', async () => {
    storage.put = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    expect([await sizeOf(), await sizeOf()]).toEqual(['webp 160x80', 'webp 160x80'])
    expect([spent.length, rows.size]).toEqual([2, 0])
  })
})

describe('there is no scaled picture', () => {
  it('of an unknown picture, of one that cannot be decoded, and while the storage cannot be read', async () => {
    storage.objects.set(source, Buffer.from('damaged'))
    expect(await sizeOf()).toBeNull()
    storage.objects.clear()
    expect(await sizeOf()).toBeNull()
    storage.get = async () => {
      throw new Error('the storage does not answer')
    }
    expect(await sizeOf()).toBeNull()
    expect(rows.size).toBe(0)
  })

  it('for a viewer who has spent the budget; what is made already costs nothing', async () => {
    await sizeOf(160)
    budgetLeft = false
    expect([await sizeOf(160), await sizeOf(320)]).toEqual(['webp 160x80', null])
  })

  it('within the time limit while the storage hangs; it is made for the next viewer', async () => {
    let goOn = () => {}
    storage.put = () => new Promise<void>(resolve => (goOn = resolve))
    expect(await scaled.find({ source, width: 160 }, 'ana', WAIT_MS)).toBeNull()
    goOn()
    expect(await sizeOf()).toBe('webp 160x80')
  })

  it('for one more request when many wait already, and it is answered at once', async () => {
    let goOn = () => {}
    const released = new Promise<void>(resolve => (goOn = resolve))
    storage.put = () => released
    const waiting = Array.from({ length: MAX_REQUESTS_WAITING }, () => sizeOf())
    const beganMs = performance.now()
    expect(await sizeOf()).toBeNull()
    expect(performance.now() - beganMs).toBeLessThan(WAIT_MS * 10)
    goOn()
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['webp 160x80']))
    expect(await sizeOf()).toBe('webp 160x80')
  })
})
