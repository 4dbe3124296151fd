import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { command, commandsOf, commandsWith, RUNBOOKS, run } from '../../e2e/support/runbooks.js'
import { ROOT } from '../dev/settings.js'
import { TOPOLOGY } from '../dev/topology.js'
import { readDocuments, readYaml, scaledObjectsOf } from './manifests.js'

const ALL = [...new Set(Object.values(RUNBOOKS).flatMap(commandsOf))]
const callsOnly = program => text =>
  text
    .trim()
    .split('\n')
    .every(line => line.startsWith(`${program} `))
const KUBECTL = ALL.filter(callsOnly('kubectl'))
const COMPOSE = ALL.filter(callsOnly('docker compose'))

/** Commands that no test runs, and why. */
const NOT_RUN = {
  'chronyc tracking': 'asks the time service of a machine',
  'cp -a .data .data.damaged': 'keeps a database that is damaged',
  'flux suspend kustomization <name>': 'needs Flux and a cluster',
  'kill -QUIT <number>': 'ends a PostgreSQL that does not end by itself',
  'npm run build': 'every suite builds in this way before it starts',
  'npm run faults -- --only <fault>': 'is itself a suite, and needs a Prometheus',
  'npx web-push generate-vapid-keys': 'fetches a package',
  'ps -ef \\| grep postgres:': 'stands in a table, which escapes its bar',
}

/** Where tests are that run commands of runbooks. */
const TESTS = ['tools/backup', 'tools/deploy', 'e2e/api'].flatMap(folder =>
  fs
    .readdirSync(path.join(ROOT, folder))
    .filter(file => file.endsWith('.js'))
    .map(file => path.join(ROOT, folder, file)),
)
const CALL = /\bcommand\(\s*'([\w-]+\.md)',\s*'([^']+)'/g

it('each command of a runbook stands in a test that takes it from there', () => {
  const calls = TESTS.flatMap(file => [...fs.readFileSync(file, 'utf8').matchAll(CALL)])
  const inTests = calls.flatMap(([, page, words]) => commandsWith(page, words))
  const accounted = new Set([...inTests, ...KUBECTL, ...COMPOSE, ...Object.keys(NOT_RUN).map(text => `${text}\n`)])
  expect(ALL.filter(text => !accounted.has(text))).toEqual([])
  expect(Object.keys(NOT_RUN).filter(text => !ALL.includes(`${text}\n`))).toEqual([])
})

/** The arguments of each call of a program in a script. The shell splits them. */
async function callsIn(script, program) {
  const { stdout } = await run(`${program}() { printf '%s\\0' "$@"; echo; }\n${script}`, {
    env: { POD: 'escrow-svc-1' },
  })
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split('\0').slice(0, -1))
}

/** What a script becomes for each of these services. */
const forEach = (services, script) =>
  [...new Set(services.map(name => script.replace(/<svc>|<service>/g, name)))].sort()

describe('the runbooks’ commands of kubectl name what production has', () => {
  const [{ namespace }] = readDocuments('overlays/production/kustomization.yaml')
  const scaled = scaledObjectsOf('production').map(({ metadata }) => metadata.name)
  const secrets = readDocuments('components/cluster/external-secrets.yaml').map(({ metadata }) => metadata.name)
  const OBJECTS = { deployment: TOPOLOGY.services, scaledobject: scaled, externalsecret: secrets }
  const LABELS = [
    ...Object.entries(readDocuments('app/deployment.yaml')[0].spec.template.metadata.labels),
    ...TOPOLOGY.services.flatMap(name =>
      readDocuments(`base/${name}/kustomization.yaml`)[0].labels.flatMap(({ pairs }) => Object.entries(pairs)),
    ),
  ].map(pair => pair.join('='))
  /** What cert-manager adds to a cluster. */
  const CERT_MANAGER = ['certificate', 'certificaterequest', 'order', 'challenge']

  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  const NAMESPACE = { namespace: { ...text, short: 'n' } }
  const SELECTOR = { selector: { ...text, short: 'l' } }
  /** The options that the runbooks use, by the verbs of kubectl 1.32 that have them. */
  const VERBS = {
    annotate: { overwrite: flag },
    describe: {},
    get: { ...SELECTOR, output: { ...text, short: 'o' }, watch: flag, 'all-namespaces': flag },
    logs: { previous: flag, tail: text },
    rollout: {},
    scale: { replicas: text },
    wait: { ...SELECTOR, for: text, timeout: text },
  }

  /** The kinds and the name of a call's object. `logs` has the name of a pod alone. */
  function objectIn(verb, words) {
    if (verb === 'logs') return { kinds: ['pod'], name: words[0] }
    const [object, next] = verb === 'rollout' ? words.slice(1) : words
    const [kinds, name = next] = object.split('/')
    return { kinds: kinds.split(',').map(kind => kind.replace(/s$/, '')), name }
  }

  const exists = (kind, name) => {
    if (CERT_MANAGER.includes(kind)) return name === undefined
    if (kind === 'pod') return name === undefined || TOPOLOGY.services.some(service => name.startsWith(`${service}-`))
    return kind in OBJECTS && (name === undefined || OBJECTS[kind].includes(name))
  }

  const scripts = KUBECTL.flatMap(script =>
    forEach(script.includes(' scaledobject ') ? scaled : TOPOLOGY.services, script),
  )

  it('with options that its verbs have', async () => {
    const calls = (await Promise.all(scripts.map(script => callsIn(script, 'kubectl')))).flat()
    expect(calls.length).toBeGreaterThan(KUBECTL.length)
    for (const args of calls) {
      const verb = args.find(word => word in VERBS)
      /** @type {{ values: Record<string, unknown>, positionals: string[] }} */
      const { values, positionals } = parseArgs({
        args,
        options: { ...NAMESPACE, ...VERBS[verb] },
        allowPositionals: true,
      })
      const { kinds, name } = objectIn(verb, positionals.slice(1))
      const isInNamespace = values.namespace === namespace || values['all-namespaces']
      const isSelected = values.selector === undefined || LABELS.includes(values.selector)
      const missing = kinds.filter(kind => !exists(kind, name))
      expect({ args, verb: positionals[0], isInNamespace, isSelected, missing }).toEqual({
        args,
        verb,
        isInNamespace: true,
        isSelected: true,
        missing: [],
      })
    }
  })
})

it('the runbooks’ commands of Docker name services that compose has', async () => {
  const services = Object.keys(readYaml('docker-compose.yml').services)
  const calls = await Promise.all(
    COMPOSE.flatMap(script => forEach(TOPOLOGY.services, script)).map(script => callsIn(script, 'docker')),
  )
  expect(calls.length).toBeGreaterThan(COMPOSE.length)
  for (const [compose, verb, service] of calls.flat())
    expect({ compose, verb, service }).toEqual({
      compose: 'compose',
      verb: expect.stringMatching(/^(exec|start|stop)$/),
      service: expect.stringMatching(new RegExp(`^(${services.join('|')})$`)),
    })
})

it('the command that makes a key prints 32 random bytes', async () => {
  const { stdout } = await run(command('actor-keys.md', 'randomBytes(32)'))
  expect(Buffer.from(stdout.trim(), 'base64url')).toHaveLength(32)
})
