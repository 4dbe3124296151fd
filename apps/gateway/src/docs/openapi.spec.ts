import { publicRoutes } from '@holdfast/contracts/routes'
import { Validator } from '@seriousme/openapi-schema-validator'
import { docsPage } from './docs-page.js'
import { openApiOf } from './openapi.js'
import { schemaText } from './schema-text.js'

describe('the description of the API', () => {
  const api = openApiOf('https://holdfast.example', '__Host-holdfast_session')

  it('has every public route under its method, path and name', () => {
    for (const [name, { method, path }] of Object.entries(publicRoutes)) {
      expect(api.paths[path]?.[method.toLowerCase()]?.operationId).toBe(name)
    }
  })

  it('has no internal route', () => {
    expect(Object.keys(api.paths).filter(path => !path.startsWith('/api/'))).toEqual([])
  })

  it('is valid OpenAPI 3.1', async () => {
    const outcome = await new Validator().validate(JSON.parse(JSON.stringify(api)))
    expect(outcome.errors ?? []).toEqual([])
    expect(outcome.valid).toBe(true)
  })

  it('declares every parameter of a path', () => {
    for (const [path, item] of Object.entries(api.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      for (const { parameters } of Object.values(item)) {
        expect(parameters.filter(parameter => parameter.in === 'path').map(({ name }) => name)).toEqual(named)
      }
    }
  })

  it('names who may call a route, and the error codes of each status', () => {
    const { security, responses } = api.paths['/api/transactions/{id}/accept']!.post!
    expect(security).toEqual([{ session: [] }])
    expect(responses['409']!.description).toContain('`ESCROW_WRONG_STATE`')
    expect(responses['401']!.description).toContain('`UNAUTHENTICATED`')
    expect(api.paths['/api/auth/signin']!.post!.security).toEqual([])
    expect(api.paths['/api/listings/{id}']!.get!.security).toEqual([{ session: [] }, {}])
  })

  it('describes ids in paths as integers, and the link to the next page of a list', () => {
    const { parameters } = api.paths['/api/transactions/{id}']!.get!
    expect(parameters[0]!.schema).toEqual({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
    const [userId] = api.paths['/api/transactions/user/{userId}']!.get!.parameters
    expect(userId!.schema).toEqual({ type: 'string', format: 'uuid' })
    expect(api.paths['/api/transactions']!.get!.responses['200']!.headers).toHaveProperty('Link')
  })

  it('offers an idempotency key for the routes whose service keeps keys, and for no others', () => {
    const keyOf = (path: string, method: string) =>
      api.paths[path]![method]!.parameters.filter(({ name }) => name === 'idempotency-key').map(
        ({ required }) => required,
      )
    expect(keyOf('/api/transactions/{id}/accept', 'post')).toEqual([false])
    expect(keyOf('/api/transactions/{id}', 'delete')).toEqual([false])
    expect(keyOf('/api/payouts', 'post')).toEqual([true])
    expect(keyOf('/api/auth/signin', 'post')).toEqual([])
    expect(keyOf('/api/auth/password', 'post')).toEqual([])
  })

  it('is also a page without a script', () => {
    const page = docsPage(api)
    expect(page).toContain('id="acceptTransaction"')
    expect(page).not.toMatch(/<script|style="/)
  })
})

describe('a schema as text', () => {
  it('looks like a TypeScript type', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        title: { type: 'string', minLength: 1, maxLength: 120 },
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      },
      required: ['id', 'title', 'kind'],
    }
    expect(schemaText(schema)).toBe(
      '{\n  id: integer (at least 1)\n  title: string (1 to 120 characters)\n  kind: "a" | "b"\n  tags?: string[] (at most 3 items)\n}',
    )
  })
})
