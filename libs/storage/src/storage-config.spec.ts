import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openStorage } from './open-storage.js'
import { readS3Url } from './s3-settings.js'
import { storageRefusals, storageShape } from './storage-config.js'

const S3 = { STORAGE_ACCESS_KEY: 'access', STORAGE_SECRET_KEY: 'secret', STORAGE_REGION: 'eu-central-1' }

it('a file URL opens a folder, which is made when it is missing', async () => {
  const root = await mkdtemp(join(tmpdir(), 'holdfast-storage-'))
  await openStorage({ NODE_ENV: 'test', STORAGE_URL: pathToFileURL(join(root, 'a folder')).href })
  expect(await readdir(root)).toEqual(['a folder'])
  await rm(root, { recursive: true })
})

it('an S3 URL names a server and a bucket', () => {
  const local = { host: '127.0.0.1', port: 7070, secure: false, bucket: 'pictures' }
  expect(readS3Url('s3+http://127.0.0.1:7070/pictures')).toEqual(local)
  expect(readS3Url('s3+https://s3.example.com/a.bucket-1')).toEqual({
    host: 's3.example.com',
    port: 443,
    secure: true,
    bucket: 'a.bucket-1',
  })
})

it.each([
  '/just/a/path',
  'http://example.test/x',
  's3://bucket',
  'file://data/files',
  's3+https://host',
  's3+https://host/',
  's3+https://host/bucket/folder',
  's3+https://host/UPPER',
  's3+https://key:secret@host/bucket',
  's3+https://host/bucket?region=x',
  '',
])('STORAGE_URL must not be %j', url => {
  expect(storageShape.STORAGE_URL.safeParse(url).success).toBe(false)
})

const FOLDER = 'file:///data/files'
it.each([
  ['production', FOLDER, {}, 'STORAGE_URL'],
  ['production', 's3+http://storage/holdfast', S3, 'STORAGE_URL'],
  ['production', 's3+https://storage/holdfast', S3, undefined],
  ['production', 's3+https://storage/holdfast', { ...S3, STORAGE_REGION: undefined }, 'STORAGE_REGION'],
  ['development', FOLDER, {}, undefined],
  ['development', 's3+http://storage/holdfast', S3, undefined],
  ['development', 's3+http://storage/holdfast', { ...S3, STORAGE_ACCESS_KEY: undefined }, 'STORAGE_ACCESS_KEY'],
  ['development', 's3+http://storage/holdfast', { ...S3, STORAGE_SECRET_KEY: undefined }, 'STORAGE_SECRET_KEY'],
])('in %s, %s with the login %j has a fault in %s', (NODE_ENV, STORAGE_URL, login, faulty) => {
  const refused = Object.entries(storageRefusals({ NODE_ENV, STORAGE_URL, ...login })).filter(([, fault]) => fault)
  expect(refused.map(([variable]) => variable)).toEqual(faulty === undefined ? [] : [faulty])
  expect(JSON.stringify(refused)).not.toContain(S3.STORAGE_SECRET_KEY)
})
