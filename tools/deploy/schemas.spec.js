import { schemaOfKubernetes, strict } from './schemas.js'

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const DEFINITIONS = {
  pod: {
    type: 'object',
    properties: { spec: { $ref: '#/definitions/spec' } },
    'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Pod' }],
  },
  spec: {
    type: 'object',
    properties: { memory: { $ref: `#/definitions/${QUANTITY}` }, inner: { $ref: '#/definitions/spec' } },
  },
  [QUANTITY]: { type: 'string' },
  other: { type: 'object' },
}

it('a schema refuses a field that it does not name, at every depth', () => {
  const inner = { type: 'object', properties: { port: { type: 'integer' } } }
  expect(strict({ type: 'object', properties: { ports: { type: 'array', items: inner } } })).toEqual({
    type: 'object',
    properties: { ports: { type: 'array', items: { ...inner, additionalProperties: false } } },
    additionalProperties: false,
  })
})

it('a schema takes any field where Kubernetes does', () => {
  const labels = { type: 'object', additionalProperties: { type: 'string' } }
  const free = { type: 'object', properties: {}, 'x-kubernetes-preserve-unknown-fields': true }
  expect([strict(labels), strict(free)]).toEqual([labels, free])
})

it('a kind has what it refers to and no more, and a quantity may be a number', () => {
  expect(schemaOfKubernetes('apps/v1', 'Pod', DEFINITIONS)).toEqual({
    allOf: [{ $ref: '#/definitions/pod' }],
    definitions: {
      pod: { ...DEFINITIONS.pod, additionalProperties: false },
      spec: { ...DEFINITIONS.spec, additionalProperties: false },
      [QUANTITY]: { type: ['string', 'number'] },
    },
  })
  expect(schemaOfKubernetes('v1', 'Pod', DEFINITIONS)).toBeUndefined()
})
