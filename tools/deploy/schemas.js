// JSON schemas of the kinds that the manifests use, for kubeconform. They are made from what Kubernetes, KEDA and the External Secrets
// Operator say of their own kinds, in the sources that Go fetches.

import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

/** The modules with the definitions. The clusters run this version of Kubernetes or a newer one. */
export const MODULES = {
  kubernetes: 'k8s.io/kubernetes@v1.36.3',
  keda: 'github.com/kedacore/keda/v2@v2.21.0',
  'external-secrets': 'github.com/external-secrets/external-secrets@v1.3.2',
}
const OF_OPERATORS = [
  ['keda', 'config/crd/bases/keda.sh_scaledobjects.yaml'],
  ['external-secrets', 'config/crds/bases/external-secrets.io_externalsecrets.yaml'],
]
/** Where kubeconform finds a schema below the folder. */
export const SCHEMA_FILE = '{{ .ResourceKind }}{{ .KindSuffix }}.json'
/** Definitions whose texts may also be numbers. Their own `type` says text alone. */
const ALSO_NUMBERS = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': ['string', 'integer'],
  'io.k8s.apimachinery.pkg.api.resource.Quantity': ['string', 'number'],
}

/**
 * Writes the schemas of all kinds of these documents that are known into a folder. kubeconform refuses a kind without a schema.
 * @param {Record<keyof typeof MODULES, string>} sources the folders of the modules
 */
export function writeSchemas(documents, sources, folder) {
  const swagger = path.join(sources.kubernetes, 'api/openapi-spec/swagger.json')
  const { definitions } = JSON.parse(fs.readFileSync(swagger, 'utf8'))
  const custom = OF_OPERATORS.map(([module, file]) => parse(fs.readFileSync(path.join(sources[module], file), 'utf8')))
  for (const { apiVersion, kind } of documents) {
    const schema = schemaOfOperator(apiVersion, kind, custom) ?? schemaOfKubernetes(apiVersion, kind, definitions)
    if (schema) fs.writeFileSync(path.join(folder, fileOf(apiVersion, kind)), JSON.stringify(schema))
  }
}

/** `deployment-apps-v1.json`, `service-v1.json`, as SCHEMA_FILE has it. */
function fileOf(apiVersion, kind) {
  const parts = apiVersion.split('/')
  return `${[kind, parts[0].split('.')[0], ...parts.slice(1)].join('-').toLowerCase()}.json`
}

function schemaOfOperator(apiVersion, kind, custom) {
  const [group, name] = apiVersion.split('/')
  const found = custom.find(({ spec }) => spec.group === group && spec.names.kind === kind)
  const version = found?.spec.versions.find(each => each.name === name)
  return version && strict(version.schema.openAPIV3Schema)
}

/** The definition of a kind, with all those to which it refers. */
export function schemaOfKubernetes(apiVersion, kind, definitions) {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const isIt = each => each.group === group && each.version === version && each.kind === kind
  const name = Object.keys(definitions).find(each => definitions[each]['x-kubernetes-group-version-kind']?.some(isIt))
  if (!name) return undefined
  const needed = {}
  const take = each => {
    if (each in needed) return
    needed[each] = ALSO_NUMBERS[each] ? { type: ALSO_NUMBERS[each] } : strict(definitions[each])
    for (const [, next] of JSON.stringify(definitions[each]).matchAll(/"#\/definitions\/([^"]+)"/g)) take(next)
  }
  take(name)
  return { allOf: [{ $ref: `#/definitions/${name}` }], definitions: needed }
}

/** A schema that also refuses fields that it does not name, so that a misspelled one is found. */
export function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict)
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]))
  const isClosed =
    schema.type === 'object' &&
    schema.properties !== undefined &&
    schema.additionalProperties === undefined &&
    !schema['x-kubernetes-preserve-unknown-fields']
  return isClosed ? { ...copy, additionalProperties: false } : copy
}
