import fs from 'node:fs'
import path from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../dev/settings.js'

const K8S = path.join(ROOT, 'deploy/k8s')
/** The label of a caller's pods, without the target's name (deploy/k8s/base/network). */
export const ARROW = 'holdfast.example/to-'
/** The job that migrates the database. */
export const MIGRATE = 'migrate'
export const OVERLAYS = ['local', 'staging', 'production', 'production-large']

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

/** The variables that every service gets from the repository in an overlay. */
export const sharedVariablesOf = overlay =>
  Object.assign({}, ...['base', ...foldersOf(overlay)].map(folder => readVariables(`${folder}/common.env`)))

/** The variables that a service gets from the repository in an overlay, without its secrets. */
export const variablesOf = (overlay, name) => ({
  ...sharedVariablesOf(overlay),
  ...readVariables(`base/${name}/config.env`),
})

/** The folders with what an overlay adds to the base, in the order of kustomize: of the overlay below it, its components, its own. */
function foldersOf(overlay) {
  const folder = `overlays/${overlay}`
  const { resources, components } = kustomizationIn(folder)
  const below = resources.filter(name => path.posix.dirname(name) === '..').map(name => path.posix.basename(name))
  return [...below.flatMap(foldersOf), ...components.map(name => path.posix.join(folder, name)), folder]
}

function kustomizationIn(folder) {
  const [{ resources = [], components = [], patches = [] }] = readDocuments(`${folder}/kustomization.yaml`)
  return { resources, components, patches }
}

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
export const scaledObjectsOf = overlay =>
  foldersOf(overlay).includes('components/keda') ? readDocuments('components/keda/scaled-objects.yaml') : []

/** The patches of an overlay that stand in a kustomization and are for this object. */
function patchesOf(overlay, kind, name) {
  return foldersOf(overlay)
    .flatMap(folder => kustomizationIn(folder).patches)
    .filter(({ target, patch }) => patch && target.kind === kind && new RegExp(`^(${target.name ?? '.*'})$`).test(name))
    .flatMap(({ patch }) => parse(patch))
}

/**
 * The documents of an overlay. A file of patches that it names replaces whole fields of a spec, as kustomize does with those of a
 * network policy. All other patches are left out: only `npm run check:deploy` sees what they do.
 */
export function documentsOfOverlay(overlay) {
  const changes = foldersOf(overlay).flatMap(folder =>
    kustomizationIn(folder).patches.flatMap(({ path: file }) => (file ? readDocuments(`${folder}/${file}`) : [])),
  )
  return documentsBelow(`overlays/${overlay}`).map(document => {
    const own = changes.filter(
      ({ kind, metadata }) => kind === document.kind && metadata.name === document.metadata.name,
    )
    return { ...document, spec: Object.assign({}, document.spec, ...own.map(({ spec }) => spec)) }
  })
}

/** The documents that a kustomization names, and those of the kustomizations that it names. */
function documentsBelow(folder) {
  const { resources, components } = kustomizationIn(folder)
  return [...resources, ...components].flatMap(name => {
    const from = path.posix.join(folder, name)
    return name.endsWith('.yaml') ? readDocuments(from) : documentsBelow(from)
  })
}

/** The names of the secrets that each process gets in an overlay for a cluster: `{ gateway: ['DATABASE_URL', …], … }`. */
export const clusterSecrets = overlay =>
  Object.fromEntries(
    readDocuments('components/cluster/external-secrets.yaml').map(({ metadata, spec }) => {
      const added = patchesOf(overlay, 'ExternalSecret', metadata.name).map(({ value }) => value)
      return [spec.target.name, secretsIn([...spec.data, ...added])]
    }),
  )

/** The names of the secrets in the data of an ExternalSecret. */
export const secretsIn = data => data.map(({ secretKey }) => secretKey)

/** Whom a service, or `migrate`, may call in an overlay, sorted. */
export function arrowsOf(overlay, name) {
  const [{ spec }] = readDocuments(name === MIGRATE ? 'base/migrate.yaml' : `base/${name}/deployment.yaml`)
  const added = patchesOf(overlay, 'Deployment', name).map(patch => [labelOf(patch), patch.value])
  return targetsIn({ ...spec.template.metadata.labels, ...Object.fromEntries(added) })
}
/** The label that a JSON patch adds. In its path `~1` is a slash. */
const labelOf = patch => patch.path.split('/').at(-1).replace('~1', '/')

/** The targets that labels allow, sorted. */
export const targetsIn = labels =>
  Object.keys(labels)
    .filter(label => label.startsWith(ARROW))
    .map(label => label.slice(ARROW.length))
    .sort()
