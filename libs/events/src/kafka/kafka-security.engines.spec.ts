import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type KafkaEngine, startKafka } from '@holdfast/engines/kafka'

const LOGIN = { username: 'escrow-svc', password: 'right' }

describe('a Kafka with TLS and passwords', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-kafka-'))
  const authority = path.join(folder, 'authority.pem')
  let kafka: KafkaEngine

  beforeAll(async () => {
    const [authorityKey, keyStore] = ['authority.key', 'broker.pem'].map(name => path.join(folder, name))
    makeCertificate(['-subj', '/CN=authority'], authorityKey!, authority)
    const certificate = path.join(folder, 'broker.crt')
    const issued = ['-CA', authority, '-CAkey', authorityKey!, '-addext', 'subjectAltName=IP:127.0.0.1']
    makeCertificate(['-subj', '/CN=broker', ...issued], keyStore!, certificate)
    fs.appendFileSync(keyStore!, fs.readFileSync(certificate))
    kafka = await startKafka(folder, undefined, { keyStore: keyStore!, trustStore: authority, ...LOGIN })
  })
  afterAll(async () => {
    await kafka.process.kill()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  /** Publishes and reads an event in a process of its own: Node reads NODE_EXTRA_CA_CERTS when it starts. */
  async function roundTrip(changed: NodeJS.ProcessEnv = {}) {
    const [loader, entry] = ['service-kit/test/typescript.js', 'events/test/kafka-round-trip.ts'].map(file =>
      fileURLToPath(new URL(`../../../${file}`, import.meta.url)),
    )
    const child = spawn(process.execPath, ['--conditions=source', '--no-warnings', '--import', loader!, entry!], {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'test',
        LOG_LEVEL: 'warn',
        PORT: '0',
        OPS_PORT: '0',
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        EVENTS_TRANSPORT: 'kafka',
        KAFKA_BROKERS: kafka.broker,
        KAFKA_TLS: 'true',
        KAFKA_SASL_USERNAME: LOGIN.username,
        KAFKA_SASL_PASSWORD: LOGIN.password,
        NODE_EXTRA_CA_CERTS: authority,
        ...changed,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
    const [log, stderr, status] = await Promise.all([text(child.stdout!), text(child.stderr!), ended])
    return { log, stderr, status }
  }

  it('carries an event of a process that has the password and knows the authority', async () => {
    expect(await roundTrip()).toMatchObject({ stderr: '', status: 0 })
  })

  it.each([
    ['a wrong password', { KAFKA_SASL_PASSWORD: 'wrong' }, 'SASL SCRAM SHA512 authentication failed'],
    ['an authority that it does not know', { NODE_EXTRA_CA_CERTS: '' }, 'unable to verify the first certificate'],
  ])('is not reached with %s, and the log says why', async (_, changed, reason) => {
    const { log, status } = await roundTrip(changed)
    expect(status).not.toBe(0)
    expect(JSON.parse(log.split('\n')[0]!)).toMatchObject({
      level: 'warn',
      msg: 'topics cannot be created yet',
      err: { message: expect.stringContaining(reason) },
    })
  })
})

function makeCertificate(args: readonly string[], keyFile: string, certificateFile: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile]
  // It writes dots while it looks for a key.
  execFileSync('openssl', ['req', '-x509', ...key, '-days', '1', '-out', certificateFile, ...args], { stdio: 'ignore' })
}
