import { TOPOLOGY } from '../dev/topology.js'
import { ARROW, arrowsOf, MIGRATE } from './manifests.js'

const podsWith = matchLabels => ({ podSelector: { matchLabels } })
const podsOf = app => podsWith({ 'app.kubernetes.io/name': app })
const callersOf = target => podsWith({ [`${ARROW}${target}`]: 'allowed' })
const namespace = name => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } })
const addresses = (cidr, rest) => ({ ipBlock: { cidr, ...rest } })
const portsOf = (...numbers) => numbers.map(port => ({ port }))

const ingress = (name, pods, ...rules) => ({ name, spec: { ...pods, policyTypes: ['Ingress'], ingress: rules } })
const egress = (name, pods, rule) => ({ name, spec: { ...pods, policyTypes: ['Egress'], egress: [rule] } })

const ALL_PODS = { podSelector: {} }
const OUR_PODS = podsWith({ 'app.kubernetes.io/part-of': 'holdfast' })
const EVERYWHERE = [
  // What no other policy allows is denied.
  { name: 'deny-all', spec: { ...ALL_PODS, policyTypes: ['Ingress', 'Egress'] } },
  // Every pod asks the cluster's DNS for the addresses of the others.
  egress('names', ALL_PODS, {
    to: [{ ...namespace('kube-system'), ...podsWith({ 'k8s-app': 'kube-dns' }) }],
    ports: ['UDP', 'TCP'].map(protocol => ({ port: 53, protocol })),
  }),
  // Prometheus reads the metrics.
  ingress('metrics', OUR_PODS, { from: [namespace('monitoring')], ports: portsOf(9090) }),
  // Traces are sent to the collector.
  egress('traces', OUR_PODS, { to: [namespace('monitoring')], ports: portsOf(4318) }),
  // The gateway is the only public service.
  ingress('visitors', podsOf('gateway'), { from: [namespace('ingress-nginx')], ports: portsOf(8080) }),
]
const IN_A_CLUSTER = [
  // cert-manager proves the domain with a pod of its own, which the certificate authority calls through the ingress.
  ingress('certificates', podsWith({ 'acme.cert-manager.io/http01-solver': 'true' }), {
    from: [namespace('ingress-nginx')],
    ports: portsOf(8089),
  }),
]

/** The apps that stand in for what lies outside of a cluster. */
const AT_HOME = {
  database: { app: 'postgres', ports: portsOf(5432) },
  kafka: { app: 'kafka', ports: portsOf(9096) },
  redis: { app: 'redis', ports: portsOf(6379) },
  storage: { app: 's3', ports: portsOf(7070) },
  mail: { app: 'sandbox', ports: portsOf(1025) },
  internet: { app: 'sandbox', ports: portsOf(8080) },
}
/** The sandbox sends webhooks to the gateway, which no service calls. */
const CALLED_AT_HOME = ['gateway']

/** Mail servers and other providers change their addresses, so all public ones are allowed, and no private one. */
const PUBLIC = addresses('0.0.0.0/0', {
  except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
})

/** What lies outside of a cluster whose subnets begin with these two numbers. */
const outside = network => ({
  database: { block: addresses(`${network}.10.0/24`), ports: portsOf(5432) },
  pooler: { block: addresses(`${network}.10.0/24`), ports: portsOf(6432) },
  kafka: { block: addresses(`${network}.40.0/24`), ports: portsOf(9096) },
  redis: { block: addresses(`${network}.30.0/24`), ports: portsOf(6379) },
  storage: { block: addresses(`${network}.20.0/24`), ports: portsOf(443) },
  mail: { block: PUBLIC, ports: portsOf(465, 587) },
  internet: { block: PUBLIC, ports: portsOf(443) },
})
const OUTSIDE = {
  local: AT_HOME,
  staging: outside('10.20'),
  production: outside('10.10'),
  'production-large': outside('10.10'),
}

/**
 * All network policies that an overlay must have: `[{ name, spec }, …]`, sorted by name.
 * The arrows of the services and of the migration say which targets are called. One policy lets the callers out to a target. When it is in the namespace, one
 * of its own lets them in.
 */
export function expectedPolicies(overlay) {
  const callers = [...TOPOLOGY.services, MIGRATE]
  const called = [...callers.flatMap(name => arrowsOf(overlay, name)), ...(overlay === 'local' ? CALLED_AT_HOME : [])]
  const services = TOPOLOGY.services.map(name => [name, { app: name, ports: portsOf(8080) }])
  const places = { ...OUTSIDE[overlay], ...Object.fromEntries(services) }
  const arrows = [...new Set(called)].sort().map(target => ({ target, ...places[target] }))
  const waysOut = arrows.map(({ target, app, block, ports }) =>
    egress(`to-${target}`, callersOf(target), { to: [block ?? podsOf(app)], ports }),
  )
  const waysInto = app =>
    arrows.filter(arrow => arrow.app === app).map(({ target, ports }) => ({ from: [callersOf(target)], ports }))
  const apps = new Set(arrows.flatMap(({ app }) => app ?? []))
  const waysIn = [...apps].map(app => ingress(app, podsOf(app), ...waysInto(app)))
  return byName([...EVERYWHERE, ...(overlay === 'local' ? [] : IN_A_CLUSTER), ...waysOut, ...waysIn])
}

/** The network policies among documents, as `expectedPolicies` answers them. A kind of another API that ends so is one, too. */
export const policiesIn = documents =>
  byName(
    documents
      .filter(({ kind }) => kind.endsWith('NetworkPolicy'))
      .map(({ metadata, spec }) => ({ name: metadata.name, spec })),
  )
const byName = policies => policies.toSorted((a, b) => (a.name < b.name ? -1 : 1))
