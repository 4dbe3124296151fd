import { codesOf } from '@holdfast/contracts/error-codes'
import { ERROR_STATUS, ErrorBody } from '@holdfast/contracts/errors'
import { IdempotencyKey } from '@holdfast/contracts/fields'
import { peopleOf, RECORD_KINDS, type RecordAccess } from '@holdfast/contracts/record'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { publicRoutes } from '@holdfast/contracts/routes'
import { STATUS_TEXT } from '@holdfast/contracts/status-text'
import { ERROR_MESSAGES, type ErrorCode } from '@holdfast/kernel/errors'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { z } from 'zod'

type Json = Record<string, unknown>

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Json[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Json
  readonly description?: string
}
type Content = Readonly<Record<string, { readonly schema: Json }>>
interface Response {
  readonly description: string
  readonly headers?: Json
  readonly content?: Content
}

/** The part of OpenAPI 3.1 that is used here. */
export interface OpenApi {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Json
}

const DESCRIPTION = [
  'An escrow marketplace: a buyer’s money is held until the item has arrived and been accepted.',
  'Sign in with `POST /api/auth/signin`; the answer sets a session cookie, which every other call carries.',
  'Money is a decimal string, times are ISO 8601 in UTC. Lists are newest first; `Link: rel="next"` names their next page.',
  'A refusal has a stable `code`, a `message` for people, and `details`. After a 503 to a write that takes an `Idempotency-Key`,',
  'send it again with the same key: it is done once.',
].join(' ')

/** The description of the public API, made from the route definitions that the services use. */
export function openApiOf(origin: string, cookieName: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, route] of Object.entries<RouteDefinition>(publicRoutes)) {
    const operation = { [route.method.toLowerCase()]: operationOf(name, route) }
    paths[route.path] = { ...paths[route.path], ...operation }
  }
  const tags = [...new Set(Object.values<RouteDefinition>(publicRoutes).map(tagOf))].map(name => ({ name }))
  return {
    openapi: '3.1.1',
    info: { title: 'Holdfast', version: '1', description: DESCRIPTION },
    servers: [{ url: origin }],
    tags,
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieName } },
    },
  }
}

function operationOf(name: string, route: RouteDefinition): Operation {
  return {
    operationId: name,
    summary: route.summary,
    ...(route.record ? { description: accessText(route.record) } : {}),
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', route.params),
      ...parametersOf('query', route.query),
      ...parametersOf('header', route.headers),
      ...(takesIdempotencyKey(route) ? [idempotencyKey()] : []),
    ],
    ...(route.body ? { requestBody: { required: true, content: json(schemaOf(route.body, 'input')) } } : {}),
    responses: { ...successOf(name, route), ...refusalsOf(route) },
  }
}

/** The area of the product: the first part of the path below `/api/`. */
const tagOf = ({ path }: RouteDefinition): string => path.split('/')[2]!

/** Who may use a route on its record, and what the others get, in two sentences. */
function accessText(record: RecordAccess): string {
  const may = peopleOf(record)
  if (may.includes('everyone')) return 'For everyone.'
  const known = RECORD_KINDS[record.kind]
  const refused = known.some(person => !may.includes(person)) ? ' 403 for others who may see it.' : ''
  return `For: ${may.join(', ')}.${refused} Everybody else gets 404, as for one that does not exist.`
}

function securityOf({ access }: RouteDefinition): Json[] {
  if (access === 'public') return []
  // The empty requirement makes the session optional.
  return access === 'visitor' ? [{ session: [] }, {}] : [{ session: [] }]
}

const idempotencyKey = (): Parameter => ({
  name: 'idempotency-key',
  in: 'header',
  required: false,
  schema: schemaOf(IdempotencyKey, 'input'),
  description: 'A repeated request with the same key and input gets the first answer again, and the work is done once.',
})

/** Whether the service keeps the keys of a route. A route that requires a key declares it among its headers. */
const takesIdempotencyKey = ({ errors, headers }: RouteDefinition): boolean =>
  headers === undefined && (errors?.includes('IDEMPOTENCY_KEY_REUSED') ?? false)

function parametersOf(where: Parameter['in'], schema: z.ZodType | undefined): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: each,
  }))
}

const NEXT_PAGE = {
  Link: { description: '`rel="next"`: the next page, when there is one', schema: { type: 'string' } },
}
/** The content of answers without a schema. */
const RAW_CONTENT: Readonly<Record<string, Content>> = {
  getImage: { 'image/jpeg': { schema: {} } },
  getScaledImage: { 'image/webp': { schema: {} }, 'image/jpeg': { schema: {} } },
  getEvents: { 'text/event-stream': { schema: { type: 'string' } } },
}

function successOf(name: string, route: RouteDefinition): Record<string, Response> {
  const status = route.status ?? 200
  const content = route.response ? json(schemaOf(route.response, 'output')) : RAW_CONTENT[name]
  const isPaged = parametersOf('query', route.query).some(parameter => parameter.name === 'before')
  return {
    [status]: {
      description: SUCCESS_TEXT[status],
      ...(isPaged ? { headers: NEXT_PAGE } : {}),
      ...(content ? { content } : {}),
    },
  }
}

const SUCCESS_TEXT: Readonly<Record<number, string>> & Record<200 | 201 | 202 | 204, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; the answer has no body',
}

function refusalsOf(route: RouteDefinition): Record<string, Response> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codesOf(route)) {
    const status = ERROR_STATUS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [String(status), refusal(status, codes)]))
}

function refusal(status: number, codes: readonly ErrorCode[]): Response {
  const schema = { $ref: '#/components/schemas/Error', properties: { code: { enum: codes } } }
  const texts = codes.map(code => `- \`${code}\` ${ERROR_MESSAGES[code]}`).join('\n')
  return { description: `${STATUS_TEXT[status] ?? 'Refused'}\n\n${texts}`, content: json(schema) }
}

const json = (schema: Json): Content => ({ 'application/json': { schema } })

/** The JSON schema of what a client sends (`input`) or gets (`output`). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => readable(jsonSchema as Json),
  })
  return described as Json
}

/** Formats whose patterns are long and say no more. */
const READABLE_FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'uuid', 'email'])

/** Applies a schema's own `override`, and replaces the long patterns of times and ids by a format. */
function readable(described: Json): void {
  if (described.pattern === UUID_PATTERN.source) described.format = 'uuid'
  if (READABLE_FORMATS.has(described.format)) delete described.pattern
  const { override } = described
  if (typeof override !== 'object' || override === null) return
  for (const key of Object.keys(described)) delete described[key]
  Object.assign(described, override)
}
