import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as contracts from '@holdfast/contracts/topology'
import { environments, pooledUrls } from './environment.js'
import { reservePorts } from './ports.js'
import { loadSecrets } from './secrets.js'
import { ROOT, readSettings } from './settings.js'
import { entryOf, readTopology, roleOf, TOPOLOGY, TOPOLOGY_FILE, urlVariableOf } from './topology.js'

const packageOf = folder => JSON.parse(fs.readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'))

describe('a service that is added to the topology file', () => {
  let home
  beforeEach(() => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-topology-'))
  })
  afterEach(() => fs.rmSync(home, { recursive: true }))

  it('gets ports, a database login, keys, addresses, variables and an entry from its description alone', async () => {
    const file = path.join(home, 'topology.json')
    const description = JSON.parse(fs.readFileSync(TOPOLOGY_FILE, 'utf8'))
    description.services['payout-svc'] = {
      folder: 'apps/payout-svc',
      schema: 'payout',
      calledBy: ['gateway', 'escrow-svc'],
      environment: ['PUBLIC_URL'],
    }
    fs.writeFileSync(file, JSON.stringify(description))
    const topology = readTopology(file)

    const secrets = loadSecrets(home, topology)
    expect(secrets.rolePasswords).toHaveProperty('payout_svc')
    const { ports, release } = await reservePorts(540, 0, topology)
    release()
    const numbers = Object.values(ports).flatMap((/** @type {any} */ each) =>
      typeof each === 'number' ? each : [each.port, each.opsPort],
    )
    expect(new Set(numbers).size).toBe(2 * topology.processes.size + 2)

    const environmentOf = environments({ settings: readSettings([], {}), secrets, ports }, topology)
    const own = environmentOf('payout-svc')
    expect(own).toMatchObject({
      PORT: String(ports['payout-svc'].port),
      DATABASE_URL: expect.stringContaining(`payout_svc:${secrets.rolePasswords.payout_svc}@`),
      PUBLIC_URL: 'http://localhost:3000',
    })
    expect(Object.keys(JSON.parse(own.ACTOR_KEYS))).toEqual(['gateway>payout-svc', 'escrow-svc>payout-svc'])
    for (const caller of ['gateway', 'escrow-svc']) {
      const { ACTOR_KEYS, PAYOUT_URL } = environmentOf(caller)
      expect(PAYOUT_URL).toBe(`http://127.0.0.1:${own.PORT}`)
      expect(JSON.parse(ACTOR_KEYS)[`${caller}>payout-svc`]).toBe(secrets.actorKeys[`${caller}>payout-svc`])
    }
    expect(environmentOf('listing-svc')).not.toHaveProperty('PAYOUT_URL')
    expect(entryOf('payout-svc', topology)).toBe(path.join(ROOT, '.build/packed/payout-svc.js'))
  })

  it('gets the keys of Stripe that its starter gave, and the sandbox keeps its own', async () => {
    const env = {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }
    const { ports, release } = await reservePorts(550)
    release()
    const secrets = loadSecrets(home)
    const environmentOf = environments({ settings: readSettings([], env), secrets, ports })
    const atStripe = { STRIPE_API_URL: '', STRIPE_PUBLIC_URL: '' }
    expect(environmentOf('escrow-svc')).toMatchObject({ ...env, ...atStripe, STRIPE_CONNECT_WEBHOOK_SECRET: '' })
    expect(environmentOf('gateway')).toMatchObject({ STRIPE_PUBLIC_URL: '' })
    expect(environmentOf('sandbox')).toMatchObject({ STRIPE_SECRET_KEY: secrets.stripeSecretKey })
    expect(Object.values(environmentOf('listing-svc'))).not.toContain('sk_test_1')
  })

  it('reaches the database by the pooler and itself, and the sandbox only itself', async () => {
    const { ports, release } = await reservePorts(555)
    release()
    const plan = {
      settings: readSettings([], {}),
      secrets: loadSecrets(home),
      ports,
      poolerPort: 6432,
      poolerSessions: 5,
    }
    const environmentOf = environments(plan)
    for (const name of TOPOLOGY.services) {
      const { DATABASE_URL, DATABASE_DIRECT_URL, POOLER_CONNECTIONS } = environmentOf(name)
      expect(new URL(DATABASE_URL).port).toBe('6432')
      expect(DATABASE_DIRECT_URL).toBe(DATABASE_URL.replace(':6432/', `:${ports.postgres}/`))
      expect(POOLER_CONNECTIONS).toBe('5')
    }
    const { DATABASE_URL, ...others } = environmentOf('sandbox')
    expect(new URL(DATABASE_URL).port).toBe(String(ports.postgres))
    expect(others).not.toHaveProperty('DATABASE_DIRECT_URL')
    expect(others).not.toHaveProperty('POOLER_CONNECTIONS')
    expect(pooledUrls(plan)).toMatchObject({ escrow_svc: environmentOf('escrow-svc').DATABASE_URL })
    expect(pooledUrls(plan)).not.toHaveProperty('gateway_svc')
  })

  it('is refused when it names a variable that the launcher does not know', async () => {
    const { processes } = TOPOLOGY
    const topology = {
      ...TOPOLOGY,
      processes: new Map([['made-up', { ...processes.get('gateway'), environment: ['TYPO'] }]]),
    }
    const { ports, release } = await reservePorts(545)
    release()
    const plan = { settings: readSettings([], {}), secrets: loadSecrets(home), ports: { ...ports, 'made-up': {} } }
    expect(() => environments(plan, topology)('made-up')).toThrow('the variable TYPO for made-up')
  })
})

describe('the topology file', () => {
  it('describes every service there is, and no other', () => {
    const folders = fs.readdirSync(path.join(ROOT, 'apps')).filter(name => name !== 'web' && !name.startsWith('.'))
    expect([...contracts.SERVICES].sort()).toEqual(folders.sort())
    for (const [name, { folder }] of TOPOLOGY.processes) expect(packageOf(folder).name).toBe(`@holdfast/${name}`)
  })

  it('is all that tools/migrate needs besides its list of dependencies', () => {
    const { dependencies } = packageOf('tools/migrate')
    const withData = [...TOPOLOGY.processes].filter(([, { schema }]) => schema).map(([name]) => `@holdfast/${name}`)
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(withData))
  })

  it('means the same to the launcher and to the services', () => {
    for (const name of contracts.SERVICES) {
      expect(contracts.roleOf(name)).toBe(roleOf(name))
      expect(contracts.urlVariableOf(name)).toBe(urlVariableOf(name))
    }
  })

  it('names services after their schemas, from which the database derives who may write a topic', () => {
    for (const [name, { schema }] of TOPOLOGY.processes) if (schema) expect(roleOf(name)).toBe(`${schema}_svc`)
  })

  it('names a known service as every caller, and as the owner of every topic the one whose schema is its first word', () => {
    for (const { calledBy } of TOPOLOGY.processes.values()) {
      for (const caller of calledBy) expect(TOPOLOGY.processes.has(caller)).toBe(true)
    }
    for (const [topic, owner] of Object.entries(contracts.TOPIC_OWNERS)) {
      expect(TOPOLOGY.processes.get(owner).schema).toBe(topic.split('.')[0])
    }
  })
})
