// `npm run check:deploy`: what the manifests become. Renders every overlay with kubectl; compares it with what the unit tests have read;
// checks it with kubeconform and kube-score. Checks and tests the alerts with promtool. A tool that is missing is named, and counts as a
// failure.
// apt-get install --no-install-recommends prometheus
// go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
// go install github.com/zegl/kube-score/cmd/kube-score@v1.20.0
// KUBERNETES_SCHEMAS: a folder with the schemas of Kubernetes that kubeconform reads; without it, it loads them from its own address.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { ROOT } from '../dev/settings.js'
import { TOPOLOGY } from '../dev/topology.js'
import { hasPromtool, promtoolFindings } from './alert-tests.js'
import { arrowsOf, documentsOf, OVERLAYS, targetsIn, variablesOf } from './manifests.js'

const SERVICES = [...TOPOLOGY.processes.keys()].filter(name => name !== 'sandbox')
const { KUBERNETES_SCHEMAS } = process.env
const SCHEMAS = KUBERNETES_SCHEMAS ? ['-schema-location', `${KUBERNETES_SCHEMAS}/{{ .ResourceKind }}.json`] : []
/** Their definitions belong to operators of the cluster. */
const NOT_OF_KUBERNETES = ['-skip', 'ExternalSecret,ScaledObject']
/**
 * What kube-score asks and we answer otherwise. Tags are set where an image is released, and nodes are told apart by the topology
 * spread. The database at home has one replica, and its probe is enough.
 */
const NOT_ASKED = [
  'container-image-pull-policy',
  'deployment-has-host-podantiaffinity',
  'statefulset-has-host-podantiaffinity',
  'container-security-context-user-group-id',
  'statefulset-has-poddisruptionbudget',
  'deployment-has-poddisruptionbudget',
  'deployment-replicas',
  'pod-networkpolicy',
]

const problems = []

/** What a tool prints; null, with a problem noted, when it is missing or finds something. */
function run(title, command, args, input) {
  const { error, status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, input, encoding: 'utf8' })
  if (error?.code === 'ENOENT') problems.push(`${title}: ${command} is not installed`)
  else if (status !== 0) problems.push(`${title}:\n${stdout}${stderr}`)
  else return stdout
  return null
}

function compare(title, found, expected) {
  if (isDeepStrictEqual(found, expected)) return
  problems.push(`${title}:\n  found    ${JSON.stringify(found)}\n  expected ${JSON.stringify(expected)}`)
}

function checkRendered(overlay, documents) {
  const find = (kind, name) => documents.find(each => each.kind === kind && each.metadata.name === name)
  for (const name of SERVICES) {
    const { spec, metadata } = find('Deployment', name).spec.template
    const { envFrom, env = [] } = spec.containers[0]
    const maps = envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? [])
    const own = Object.fromEntries(env.map(variable => [variable.name, variable.value]))
    const variables = Object.assign({}, ...maps.map(map => find('ConfigMap', map).data), own)
    compare(`${overlay}, ${name}: its variables`, variables, variablesOf(overlay, name))
    compare(`${overlay}, ${name}: its arrows`, targetsIn(metadata.labels), arrowsOf(name))
    const secret = envFrom.find(({ secretRef }) => secretRef).secretRef.name
    if (!find(overlay === 'local' ? 'Secret' : 'ExternalSecret', secret))
      problems.push(`${overlay}: no secret ${secret}`)
  }
}

run('The secrets of the overlay local', process.execPath, [path.join(ROOT, 'tools/deploy/local-secrets.js')])
for (const overlay of OVERLAYS) {
  const text = run(overlay, 'kubectl', ['kustomize', `deploy/k8s/overlays/${overlay}`])
  if (text === null) continue
  checkRendered(overlay, documentsOf(text))
  run(`${overlay}, kubeconform`, 'kubeconform', ['-strict', ...SCHEMAS, ...NOT_OF_KUBERNETES], text)
  const ignored = NOT_ASKED.flatMap(test => ['--ignore-test', test])
  run(`${overlay}, kube-score`, 'kube-score', ['score', '--output-format', 'ci', ...ignored, '-'], text)
}
if (!hasPromtool()) problems.push('The alerts: promtool is not installed')
else {
  const findings = promtoolFindings()
  if (findings !== '') problems.push(`The alerts:\n${findings}`)
}
process.stdout.write(
  problems.length === 0 ? `${OVERLAYS.length} overlays and the alerts are right\n` : `${problems.join('\n\n')}\n`,
)
process.exitCode = problems.length === 0 ? 0 : 1
