import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'
import { TOPIC_OWNERS } from '@holdfast/contracts/topology'
import { startKafka } from '@holdfast/engines/kafka'
import { startRedis } from '@holdfast/engines/redis'
import { createBucket, startS3 } from '@holdfast/engines/s3'
import { Kafka, logLevel } from 'kafkajs'
import { command, run } from '../../e2e/support/runbooks.js'
import { listen } from '../dev/listen.js'
import { TOPOLOGY } from '../dev/topology.js'
import { skipEvents } from './skip-events.js'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-runbook-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))
const file = name => path.join(folder, name)

describe('the commands of the runbook of Redis', () => {
  let redis
  beforeAll(async () => {
    // It may evict keys, as in the runbook.
    redis = await startRedis(file('redis'), 'allkeys-lru')
  })
  afterAll(() => redis.process.stop())

  const ask = async script => {
    const { stdout, stderr } = await run(script, { env: { REDIS_URL: redis.url } })
    expect(stderr).toBe('')
    expect(stdout).not.toMatch(/^ERR|WRONGTYPE|NOAUTH/m)
    return stdout
  }

  it('say what Redis is, correct its policy, and remove the alarms and nothing else', async () => {
    await ask(
      'redis-cli -u "$REDIS_URL" mset holdfast:timers:escrow-svc:meta 1 holdfast:timers:listing-svc:1 1 another 1',
    )
    expect(await ask(command('redis-is-away.md', ' ping'))).toMatch(
      /^PONG\n.*maxmemory_policy:allkeys-lru.*role:master/s,
    )
    expect(await ask(command('redis-is-away.md', 'noeviction'))).toBe('OK\n')
    expect(await ask('redis-cli -u "$REDIS_URL" config get maxmemory-policy')).toContain('noeviction')
    await ask(command('redis-is-away.md', 'unlink'))
    expect(await ask('redis-cli -u "$REDIS_URL" keys "*"')).toBe('another\n')
    expect(await ask(command('redis-is-away.md', 'client list'))).toMatch(/cmd=client.*redis_version:/s)
  })
})

describe('the commands of the runbook of the object storage', () => {
  const GOOD = 'the right bytes'
  const KEY = createHash('sha256').update(GOOD).digest('hex')
  let s3
  beforeAll(async () => {
    s3 = await startS3(file('s3'))
    await createBucket(s3, 'pictures')
  })
  afterAll(() => s3.process.stop())

  /** Runs a script after the block that makes `s3`, which asks for an object by itself. Resolves with what follows that answer. */
  async function ask(script, { bucket = 'pictures' } = {}) {
    const env = {
      STORAGE_URL: `${s3.endpoint.replace('http', 's3+http')}/${bucket}`,
      STORAGE_ACCESS_KEY: s3.accessKey,
      STORAGE_SECRET_KEY: s3.secretKey,
      STORAGE_REGION: s3.region,
      KEY,
    }
    const before = command('files-are-away.md', 'readiness')
    const { stdout } = await run(`${before}echo; echo ---\n${script}`, { env, cwd: folder })
    const [first, ...rest] = stdout.split('---\n')
    return { first, more: rest.join('---\n') }
  }
  const compare = () => ask(command('files-are-away.md', 'versions=', { '<key>': KEY }))

  it('say what the storage answers, and make a bucket', async () => {
    expect((await ask('')).first).toContain('<Code>NoSuchKey</Code>')
    expect((await ask(command('files-are-away.md', '-X PUT'), { bucket: 'other' })).first).toContain('NoSuchBucket')
    expect((await ask('', { bucket: 'other' })).first).toContain('<Code>NoSuchKey</Code>')
  })

  it('find a damaged object, fetch its older version, put that back, and remove it', async () => {
    fs.writeFileSync(file('good'), GOOD)
    const put = command('files-are-away.md', '-T good')
    expect((await ask(put)).more).toContain(KEY)
    fs.writeFileSync(file('bad'), 'other bytes')
    await ask('s3 -T bad "$BUCKET/$KEY"')
    const damaged = (await compare()).more
    expect(damaged.split('\n')[0]).not.toContain(KEY)
    const [, older] = [...damaged.matchAll(/<VersionId>([^<]+)</g)].map(([, version]) => version)
    fs.rmSync(file('good'))
    await ask(command('files-are-away.md', '-o good', { '<version>': older }))
    expect((await ask(put)).more).toContain(KEY)
    expect((await compare()).more.split('\n')[0]).toContain(KEY)
    await ask(command('files-are-away.md', '-X DELETE'))
    expect((await ask('s3 "$BUCKET/$KEY"')).more).toContain('<Code>NoSuchKey</Code>')
  })
})

describe('the commands of the runbook of restores for Kafka', () => {
  const GROUPS = TOPOLOGY.services.filter(name => name !== 'gateway')
  const TOPICS = Object.keys(TOPIC_OWNERS)
  let kafka
  let admin
  beforeAll(async () => {
    kafka = await startKafka(file('kafka'))
    const client = new Kafka({ clientId: 'test', brokers: [kafka.broker], logLevel: logLevel.NOTHING })
    admin = client.admin()
    await admin.connect()
    await admin.createTopics({ topics: TOPICS.map(topic => ({ topic, numPartitions: 1 })) })
    const producer = client.producer()
    await producer.connect()
    const messages = [{ value: 'one' }, { value: 'two' }]
    await producer.sendBatch({ topicMessages: TOPICS.map(topic => ({ topic, messages })) })
    await producer.disconnect()
    // A group has recorded no progress in a topic of which it has handled nothing yet.
    for (const groupId of GROUPS)
      await admin.setOffsets({ groupId, topic: 'identity.user', partitions: [{ partition: 0, offset: '1' }] })
  })
  afterAll(async () => {
    await admin?.disconnect()
    await kafka.process.kill()
  })

  /** Where a group goes on, in each topic. */
  async function offsetsOf(groupId) {
    const offsets = await admin.fetchOffsets({ groupId, topics: TOPICS })
    return offsets.map(({ partitions }) => partitions[0].offset)
  }

  it('let every group skip its events, or one begin at a moment', async () => {
    const bounds = (await Promise.all(TOPICS.map(topic => admin.fetchTopicOffsets(topic)))).flat()
    const [first, last] = [bounds.map(({ low }) => low), bounds.map(({ high }) => high)]
    await skipEvents(kafka, folder)
    for (const group of GROUPS) expect(await offsetsOf(group)).toEqual(last)
    await skipEvents(kafka, folder, {
      'identity-svc listing-svc escrow-svc dispute-svc messaging-svc': 'escrow-svc',
      '--to-latest': '--to-datetime 2026-11-25T14:00:00.000Z',
    })
    for (const group of GROUPS) expect(await offsetsOf(group)).toEqual(group === 'escrow-svc' ? first : last)
  })
})

it('the command of the runbook of certificates says whose the certificate is, and until when', async () => {
  const [key, cert] = [file('tls.key'), file('tls.crt')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '60']
  execFileSync('openssl', [...made, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const server = https.createServer({ key: fs.readFileSync(key), cert: fs.readFileSync(cert) })
  const port = await listen(server)
  try {
    const script = command('certificates.md', 's_client', { ':443': `:${port}` })
    const { stdout } = await run(script, { env: { HOST: 'localhost' } })
    expect(stdout).toMatch(/^subject=.*localhost\nissuer=.*localhost\nnotAfter=/)
  } finally {
    server.close()
  }
})
