import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { KeyRing } from '@holdfast/encryption/key-ring'
import { describeObjectStorage, newObject } from '../test/object-storage.contract.js'
import { S3Bucket } from '../test/s3-bucket.js'
import { BucketIsPublic, type S3Settings } from './s3-settings.js'
import { S3Storage } from './s3-storage.js'
import { SealedObjects, sealObject } from './sealed-objects.js'
import { ObjectDamaged } from './verified-object.js'

describe.each([
  { name: 'a bucket without versions', keepsVersions: false },
  { name: 'a bucket with versions', keepsVersions: true },
])('$name', ({ name, keepsVersions }) => {
  let bucket: S3Bucket
  let storage: S3Storage
  beforeAll(async () => {
    bucket = await S3Bucket.start(keepsVersions)
    storage = await S3Storage.open(bucket.settings)
  })
  afterAll(() => bucket.stop())

  describeObjectStorage(name, () => storage)

  it('keeps one version of an object that several write at the same moment', async () => {
    const { key, bytes } = newObject(200_000)
    const others = await Promise.all(Array.from({ length: 5 }, () => S3Storage.open(bucket.settings)))
    await Promise.all(others.map(other => other.put(key, bytes, 'image/jpeg')))
    expect(await bucket.versions(key)).toBe(1)
  })

  it('keeps nothing of a removed object', async () => {
    const { key, bytes } = newObject()
    await storage.put(key, bytes, 'image/jpeg')
    await bucket.client.putObject(bucket.settings.bucket, key, bytes)
    await bucket.client.removeObject(bucket.settings.bucket, key)
    await storage.remove(key)
    expect(await bucket.versions(key)).toBe(0)
  })

  it('stores an object again that somebody has removed by hand', async () => {
    const { key, bytes } = newObject()
    await storage.put(key, bytes, 'image/jpeg')
    await bucket.client.removeObject(bucket.settings.bucket, key)
    expect(await storage.get(key)).toBeNull()
    await storage.put(key, bytes, 'image/jpeg')
    expect(await buffer((await storage.get(key))!.stream)).toEqual(bytes)
  })
})

describe('a bucket', () => {
  let bucket: S3Bucket
  let storage: S3Storage
  beforeAll(async () => {
    bucket = await S3Bucket.start(true)
    storage = await S3Storage.open(bucket.settings)
  })
  afterAll(() => bucket.stop())

  /** A stored object. */
  async function stored(length = 1_000) {
    const object = newObject(length)
    await storage.put(object.key, object.bytes, 'image/jpeg')
    return object
  }

  it('shows nothing to a visitor without a login', async () => {
    const { key } = await stored()
    for (const path of ['', `/${key}`, '?list-type=2', '?versions']) {
      const answer = await fetch(`${bucket.engine.endpoint}/${bucket.settings.bucket}${path}`)
      expect([path, answer.status]).toEqual([path, 403])
      expect(await answer.text()).not.toContain(key)
    }
  })

  it.each([
    ['list it', 's3:ListBucket', ''],
    ['read its objects', 's3:GetObject', '/*'],
  ])('whose visitors may %s is refused in production, and opened elsewhere', async (_, action, below) => {
    const { key } = await stored()
    const { bucket: name } = bucket.settings
    const open = (isProduction: boolean) => S3Storage.open(bucket.settings, undefined, isProduction)
    await open(true)
    const resource = `arn:aws:s3:::${name}${below}`
    const allowed = { Effect: 'Allow', Principal: '*', Action: action, Resource: resource }
    await bucket.client.setBucketPolicy(name, JSON.stringify({ Version: '2012-10-17', Statement: [allowed] }))
    try {
      await expect(open(true)).rejects.toThrow(BucketIsPublic)
      expect(await (await open(false)).get(key)).not.toBeNull()
    } finally {
      await bucket.client.setBucketPolicy(name, '')
    }
    await open(true)
  })

  it.each([10, 3_000_000])(
    'an object of %i bytes that was changed on the disk is never read to its end',
    async length => {
      const { key, bytes } = await stored(length)
      bytes[length - 1]! ^= 1
      writeFileSync(bucket.file(key), bytes)
      const found = await storage.get(key)
      let received = 0
      const reading = (async () => {
        for await (const chunk of found!.stream) received += chunk.length
      })()
      await expect(reading).rejects.toThrow(ObjectDamaged)
      expect(found?.sizeBytes).toBe(length)
      expect(received).toBeLessThan(length)
    },
  )

  it('an object that lost its end is written again', async () => {
    const { key, bytes } = await stored()
    truncateSync(bucket.file(key), 3)
    await storage.put(key, bytes, 'image/jpeg')
    expect(await buffer((await storage.get(key))!.stream)).toEqual(bytes)
  })

  it('refuses a removal that a retention forbids, and keeps the object', async () => {
    const { key, bytes } = await stored()
    const retainUntilDate = new Date(Date.now() + 86_400_000).toISOString()
    await bucket.client.putObjectRetention(bucket.settings.bucket, key, {
      mode: 'COMPLIANCE',
      retainUntilDate,
    } as never)
    await expect(storage.remove(key)).rejects.toThrow(/a retention protects the object \(AccessDenied\)/)
    expect(await buffer((await storage.get(key))!.stream)).toEqual(bytes)
  })

  it('has only encrypted bytes of a sealed object, which is readable after a rotation of the master key', async () => {
    const objects = new SealedObjects(storage)
    const plain = Buffer.from('a passport, and again a passport')
    const masterKey = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64url')}`
    const seal = async (ring: KeyRing) => {
      const { key, stored: wrapped } = ring.newDataKey('ana')
      const object = sealObject(plain, key, 'ana:front')
      await objects.put(object)
      return { object, wrapped }
    }
    const before = await seal(KeyRing.parse(masterKey('old')))
    expect(readFileSync(bucket.file(before.object.key)).includes('passport')).toBe(false)

    const rotated = KeyRing.parse(`${masterKey('new')},${masterKey('old')}`)
    const after = await seal(rotated)
    expect([before.wrapped.keyId, after.wrapped.keyId]).toEqual(['old', 'new'])
    for (const { object, wrapped } of [before, after])
      expect(await objects.get(object.key, rotated.unwrap(wrapped, 'ana'), 'ana:front')).toEqual(plain)
    await objects.remove(before.object.key)
    expect(await bucket.versions(before.object.key)).toBe(0)
  })

  it.each<[string, Partial<S3Settings>, RegExp]>([
    ['bucket', { bucket: 'another' }, /the bucket another: it has no such bucket \(NoSuchBucket\)/],
    ['secret', { secretKey: 'wrong-secret' }, /does not accept STORAGE_ACCESS_KEY with STORAGE_SECRET_KEY \(Signature/],
    ['access key', { accessKey: 'somebody' }, /does not accept STORAGE_ACCESS_KEY with STORAGE_SECRET_KEY/],
    ['region', { region: 'eu-central-1' }, /another region than STORAGE_REGION/],
  ])('is not opened with a wrong %s', async (_, wrong, message) => {
    const opening = S3Storage.open({ ...bucket.settings, ...wrong })
    await expect(opening).rejects.toThrow(message)
    const { message: said, stack } = (await opening.catch((error: Error) => error as Error)) as Error
    for (const secret of [bucket.settings.secretKey, 'wrong-secret']) expect(`${said}${stack}`).not.toContain(secret)
  })
})
