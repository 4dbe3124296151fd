// `npm run check:deploy`: what the manifests become. Renders every overlay with kustomize, compares it with what the unit tests have read,
// and checks it with kubeconform and kube-score. Go installs these tools when they are missing, and fetches the definitions of the kinds.
// Debian's promtool and amtool check the rules of the alerts, all queries, and who hears of an alert.

import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { goModuleFolder, goProgram } from '@holdfast/engines/go'
import { Failure } from '../dev/failure.js'
import { runJest } from '../dev/jest-run.js'
import { session } from '../dev/session.js'
import { ROOT } from '../dev/settings.js'
import { Suites } from '../dev/suites.js'
import { TOPOLOGY } from '../dev/topology.js'
import {
  arrowsOf,
  clusterSecrets,
  documentsOf,
  MIGRATE,
  mostPodsOf,
  OVERLAYS,
  secretsIn,
  targetsIn,
  variablesOf,
} from './manifests.js'
import { expectedPolicies, policiesIn } from './network-policies.js'
import { MODULES, SCHEMA_FILE, writeSchemas } from './schemas.js'

const TOOLS = {
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5@v5.8.1',
  kubeconform: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
}
/** What kube-score asks and we answer otherwise. */
const NOT_ASKED = [
  // A released tag is never written again.
  'container-image-pull-policy',
  // The topology spread keeps pods apart, and still starts them where there is only one node.
  'deployment-has-host-podantiaffinity',
  'statefulset-has-host-podantiaffinity',
  // It does not know the autoscalers that KEDA makes. `autoscalingFaults` looks at both kinds.
  'deployment-replicas',
]
/** At home there is one pod of each, so a budget would keep its node from ever being drained. The images of engines choose their users. */
const NOT_ASKED_AT_HOME = [
  'deployment-has-poddisruptionbudget',
  'statefulset-has-poddisruptionbudget',
  'deployment-strategy',
  'container-security-context-user-group-id',
]
const LEAST_PODS = 2

/** What a tool prints. @throws Failure with what it found */
function run(title, command, args, input) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, input, encoding: 'utf8' })
  if (error) throw new Failure(`${title}: ${error.message}`)
  if (status !== 0)
    throw new Failure(`${title} found something:`, `${stdout}${stderr}`.trim().split('\n').filter(isFinding))
  return stdout
}
// kube-score also lists what is right.
const isFinding = line => !/^\[(OK|SKIPPED)\]/.test(line)

const comparison = (title, found, expected) =>
  isDeepStrictEqual(found, expected)
    ? []
    : [`${title}\nfound    ${JSON.stringify(found)}\nexpected ${JSON.stringify(expected)}`]

/** What differs from what the unit tests have read. */
function differences(overlay, documents) {
  const find = (kind, name) => documents.find(each => each.kind === kind && each.metadata.name === name)
  const arrows = [...TOPOLOGY.services, MIGRATE].flatMap(name => {
    const { labels } = find(name === MIGRATE ? 'Job' : 'Deployment', name).spec.template.metadata
    return comparison(`the arrows of ${name}`, targetsIn(labels), arrowsOf(overlay, name))
  })
  const settings = TOPOLOGY.services.flatMap(name => {
    const { spec } = find('Deployment', name).spec.template
    const { envFrom, env = [] } = spec.containers[0]
    const maps = envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])
    const own = Object.fromEntries(env.map(variable => [variable.name, variable.value]))
    const variables = Object.assign({}, ...maps.map(map => find('ConfigMap', map).data), own)
    const secret = envFrom.find(({ secretRef }) => secretRef).secretRef.name
    const found = find(overlay === 'local' ? 'Secret' : 'ExternalSecret', secret)
    return [
      ...comparison(`the variables of ${name}`, variables, variablesOf(overlay, name)),
      ...(found ? [] : [`there is no secret ${secret}`]),
      ...(found?.spec
        ? comparison(`the secrets of ${name}`, secretsIn(found.spec.data), clusterSecrets(overlay)[name])
        : []),
    ]
  })
  return [...arrows, ...settings]
}

/** Two autoscalers of one Deployment would undo each other's work, and a single pod is away during a drain of its node. */
function autoscalingFaults(overlay, documents) {
  return TOPOLOGY.services.flatMap(name => {
    const limits = documents
      .filter(({ spec }) => spec?.scaleTargetRef?.name === name)
      .map(({ spec }) => [spec.minReplicas ?? spec.minReplicaCount, spec.maxReplicas ?? spec.maxReplicaCount])
    const expected = overlay === 'local' ? [] : [[Math.max(limits[0]?.[0] ?? 0, LEAST_PODS), mostPodsOf(overlay, name)]]
    return comparison(`the autoscalers of ${name}: the least and the most pods of each`, limits, expected)
  })
}

async function checkOverlay(overlay, tools, sources) {
  const text = run('kustomize', tools.kustomize, ['build', `deploy/k8s/overlays/${overlay}`])
  const documents = documentsOf(text)
  const schemas = fs.mkdtempSync(path.join(os.tmpdir(), 'schemas-'))
  try {
    writeSchemas(documents, sources, schemas)
    run('kubeconform', tools.kubeconform, ['-strict', '-schema-location', path.join(schemas, SCHEMA_FILE)], text)
  } finally {
    fs.rmSync(schemas, { recursive: true })
  }
  const ignored = [...NOT_ASKED, ...(overlay === 'local' ? NOT_ASKED_AT_HOME : [])]
  const asks = ['score', '--exit-one-on-warning', '--output-format', 'ci']
  run('kube-score', tools['kube-score'], [...asks, ...ignored.flatMap(test => ['--ignore-test', test]), '-'], text)
  const failures = [
    ...differences(overlay, documents),
    ...comparison('the network policies', policiesIn(documents), expectedPolicies(overlay)),
    ...autoscalingFaults(overlay, documents),
  ]
  return { passed: failures.length === 0 ? 1 : 0, failures }
}

await session(async processes => {
  const suites = new Suites()
  const found = {}
  const isPrepared = await suites.prepare('The tools', async () => {
    const named = (entries, find) =>
      Object.fromEntries(Object.entries(entries).map(([name, from]) => [name, find(name, from)]))
    found.tools = named(TOOLS, goProgram)
    found.sources = named(MODULES, (_, module) => goModuleFolder(module))
    run('The secrets of the overlay local', process.execPath, [path.join(ROOT, 'tools/deploy/local-secrets.js')])
  })
  if (isPrepared)
    for (const overlay of OVERLAYS)
      await suites.part(`The overlay ${overlay}`, () => checkOverlay(overlay, found.tools, found.sources))
  await suites.part('Rules, queries and routes of alerts', () => runJest(processes, ['prometheus']))
  return suites.report()
})
