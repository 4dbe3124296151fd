import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as contracts from '@holdfast/contracts/topology'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { environments } from './environment.js'
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
    description.services['tax-form-svc'] = {
      folder: 'apps/tax-form-svc',
      schema: 'taxform',
      calledBy: ['gateway', 'escrow-svc'],
      environment: ['PUBLIC_URL'],
    }
    fs.writeFileSync(file, JSON.stringify(description))
    const topology = readTopology(file)

    const secrets = loadSecrets(home, topology)
    expect(secrets.rolePasswords).toHaveProperty('tax_form_svc')
    const { ports, release } = await reservePorts(540, 0, topology)
    release()
    const numbers = Object.values(ports).flatMap(each => (typeof each === 'number' ? each : [each.port, each.opsPort]))
    expect(new Set(numbers).size).toBe(2 * topology.processes.size + 1)

    const environmentOf = environments({ settings: readSettings([], {}), secrets, ports }, topology)
    const own = environmentOf('tax-form-svc')
    expect(own).toMatchObject({
      PORT: String(ports['tax-form-svc'].port),
      DATABASE_URL: expect.stringContaining(`tax_form_svc:${secrets.rolePasswords.tax_form_svc}@`),
      PUBLIC_URL: 'http://localhost:3000',
    })
    expect(Object.keys(JSON.parse(own.ACTOR_KEYS))).toEqual(['gateway>tax-form-svc', 'escrow-svc>tax-form-svc'])
    for (const caller of ['gateway', 'escrow-svc']) {
      const { ACTOR_KEYS, TAX_FORM_URL } = environmentOf(caller)
      expect(TAX_FORM_URL).toBe(`http://127.0.0.1:${own.PORT}`)
      expect(JSON.parse(ACTOR_KEYS)[`${caller}>tax-form-svc`]).toBe(secrets.actorKeys[`${caller}>tax-form-svc`])
    }
    expect(environmentOf('listing-svc')).not.toHaveProperty('TAX_FORM_URL')
    expect(entryOf('tax-form-svc', topology)).toBe(path.join(ROOT, 'apps/tax-form-svc/dist/main.js'))
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

  it('names a known service as every caller, and as the owner of every topic the one whose schema is its first word', () => {
    for (const { calledBy } of TOPOLOGY.processes.values()) {
      for (const caller of calledBy) expect(TOPOLOGY.processes.has(caller)).toBe(true)
    }
    for (const [topic, owner] of Object.entries(contracts.TOPIC_OWNERS)) {
      expect(TOPOLOGY.processes.get(owner).schema).toBe(topic.split('.')[0])
    }
  })
})
