import fs from 'node:fs'
import path from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../dev/settings.js'

const K8S = path.join(ROOT, 'deploy/k8s')
/** The label of a caller's pods, without the target's name (deploy/k8s/base/network). */
export const ARROW = 'holdfast.example/to-'
/** The job that migrates the database. */
export const MIGRATE = 'migrate'
export const OVERLAYS = ['local', 'staging', 'production']

/** Every document of a YAML file below deploy/k8s, or of a text. */
export const documentsOf = text => parseAllDocuments(text).map(document => document.toJS())
export const readDocuments = file => documentsOf(fs.readFileSync(path.join(K8S, file), 'utf8'))
export const readYaml = file => parse(fs.readFileSync(path.join(ROOT, file), 'utf8'))

/** The variables of a file `NAME=value`, as kustomize and compose read it. */
export function readVariables(file) {
  if (!fs.existsSync(path.join(K8S, file))) return {}
  const lines = fs.readFileSync(path.join(K8S, file), 'utf8').split('\n')
  return Object.fromEntries(
    lines
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [nameIn(line), line.slice(nameIn(line).length + 1)]),
  )
}
const nameIn = line => line.slice(0, line.indexOf('='))

/** The variables that a service gets from the repository in an overlay, without its secrets. */
export const variablesOf = (overlay, name) => ({
  ...readVariables('base/common.env'),
  ...readVariables(`overlays/${overlay}/common.env`),
  ...readVariables(`base/${name}/config.env`),
})

/** How many pods of a service may run at the same time in an overlay: the autoscaler's maximum, and what a rollout adds. */
export function podsOf(overlay, name) {
  const [{ spec }] = readDocuments('app/deployment.yaml')
  return mostPodsOf(overlay, name) + spec.strategy.rollingUpdate.maxSurge
}

/** The most pods of a service that its autoscaler makes in an overlay. */
export function mostPodsOf(overlay, name) {
  const patched = (kind, field) => patchesOf(overlay, kind, name).find(patch => patch.path === field)?.value
  const scaled = scaledObjectsOf(overlay).find(({ metadata }) => metadata.name === name)
  if (scaled) return patched('ScaledObject', '/spec/maxReplicaCount') ?? scaled.spec.maxReplicaCount
  if (patchesOf(overlay, 'HorizontalPodAutoscaler', name).some(patch => patch.$patch === 'delete')) return 1
  const [autoscaler] = readDocuments('app/autoscaler.yaml')
  return patched('HorizontalPodAutoscaler', '/spec/maxReplicas') ?? autoscaler.spec.maxReplicas
}

/** What KEDA scales in an overlay. */
export function scaledObjectsOf(overlay) {
  const [{ components = [] }] = readDocuments(`overlays/${overlay}/kustomization.yaml`)
  return components.includes('../../components/keda') ? readDocuments('components/keda/scaled-objects.yaml') : []
}

/** The patches of an overlay that stand in its kustomization and are for this object. */
function patchesOf(overlay, kind, name) {
  const [{ patches }] = readDocuments(`overlays/${overlay}/kustomization.yaml`)
  return patches
    .filter(({ target, patch }) => patch && target.kind === kind && new RegExp(`^(${target.name ?? '.*'})$`).test(name))
    .flatMap(({ patch }) => parse(patch))
}

/**
 * The documents of an overlay. A file of patches that the overlay names replaces whole fields of a spec, as kustomize does with those of a
 * network policy. All other patches are left out: only `npm run check:deploy` sees what they do.
 */
export function documentsOfOverlay(overlay) {
  const folder = `overlays/${overlay}`
  const [{ patches }] = readDocuments(`${folder}/kustomization.yaml`)
  const changes = patches.flatMap(({ path: file }) => (file ? readDocuments(`${folder}/${file}`) : []))
  return documentsBelow(folder).map(document => {
    const own = changes.filter(
      ({ kind, metadata }) => kind === document.kind && metadata.name === document.metadata.name,
    )
    return { ...document, spec: Object.assign({}, document.spec, ...own.map(({ spec }) => spec)) }
  })
}

/** The documents that a kustomization names, and those of the kustomizations that it names. */
function documentsBelow(folder) {
  const [{ resources, components = [] }] = readDocuments(`${folder}/kustomization.yaml`)
  return [...resources, ...components].flatMap(name => {
    const from = path.posix.join(folder, name)
    return name.endsWith('.yaml') ? readDocuments(from) : documentsBelow(from)
  })
}

/** The names of the secrets that a process gets in a cluster: `{ gateway: ['DATABASE_URL', …], … }`. */
export const clusterSecrets = () =>
  Object.fromEntries(
    readDocuments('components/cluster/external-secrets.yaml').map(({ spec }) => [
      spec.target.name,
      spec.data.map(({ secretKey }) => secretKey),
    ]),
  )

/** Whom a service, or `migrate`, may call, sorted. */
export function arrowsOf(name) {
  const [{ spec }] = readDocuments(name === MIGRATE ? 'base/migrate.yaml' : `base/${name}/deployment.yaml`)
  return targetsIn(spec.template.metadata.labels)
}

/** The targets that labels allow, sorted. */
export const targetsIn = labels =>
  Object.keys(labels)
    .filter(label => label.startsWith(ARROW))
    .map(label => label.slice(ARROW.length))
    .sort()
