import { codesOf } from '@holdfast/contracts/error-codes'
import { ERROR_STATUS, ErrorBody } from '@holdfast/contracts/errors'
import { REQUEST_PARTS, type RequestPart, type RouteDefinition } from '@holdfast/contracts/route'
import { publicRoutes } from '@holdfast/contracts/routes'
import type { ErrorCode } from '@holdfast/kernel/errors'

const ROUTES = Object.values<RouteDefinition>(publicRoutes).map(route => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}))

/** The route that serves a path, or undefined when the server has none. */
export function findRoute(method: string, path: string): RouteDefinition | undefined {
  const matching = ROUTES.filter(({ route, pattern }) => route.method === method && pattern.test(path))
  // `/api/transactions/summary` also matches `/api/transactions/{id}`.
  return (matching.find(({ route }) => route.path === path) ?? matching[0])?.route
}

interface Request {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: unknown
}

/** Why the server would refuse a request; empty when it would not. One sentence for each fault. */
export function faultsOfRequest(route: RouteDefinition, { path, query, headers, body }: Request): string[] {
  const sent: Record<RequestPart, unknown> = {
    params: paramsOf(route, path),
    query: Object.fromEntries([...query.keys()].map(key => [key, oneOrAll(query.getAll(key))])),
    headers: Object.fromEntries(headers),
    body,
  }
  const faults = REQUEST_PARTS.flatMap(part => {
    const parsed = route[part]?.safeParse(sent[part])
    if (!parsed || parsed.success) return []
    return issuesOf(parsed.error).map(fault => `the server would refuse the ${part}: ${fault}`)
  })
  if (body !== undefined && !route.body && route.handling !== 'raw') faults.push('the server expects no body')
  return faults
}

/** Why the server would not give an answer; empty when it would. One sentence for each fault. */
export function faultsOfAnswer(route: RouteDefinition, status: number, body: unknown): string[] {
  return status < 400 ? faultsOfSuccess(route, status, body) : faultsOfRefusal(route, status, body)
}

/** The code with which a route answers that there is no such thing, or undefined when it never does. */
export function missingCodeOf(route: RouteDefinition): ErrorCode | undefined {
  const codes = codesOf(route).filter(code => ERROR_STATUS[code] === 404)
  return codes.find(code => code !== 'NOT_FOUND') ?? codes[0]
}

function faultsOfSuccess(route: RouteDefinition, status: number, body: unknown): string[] {
  if (route.handling === 'raw') return []
  const expected = route.status ?? 200
  if (status !== expected) return [`the server answers with status ${expected}, not ${status}`]
  if (!route.response) return body === undefined ? [] : ['the server answers without a body']
  const sent = asSent(body)
  const parsed = route.response.safeParse(sent)
  const faults = parsed.success ? undeclaredFields(sent, parsed.data) : issuesOf(parsed.error)
  return faults.map(fault => `the server would not answer this: ${fault}`)
}

function faultsOfRefusal(route: RouteDefinition, status: number, body: unknown): string[] {
  const parsed = ErrorBody.safeParse(asSent(body))
  if (!parsed.success) return issuesOf(parsed.error).map(fault => `this is not the body of a refusal: ${fault}`)
  const { code } = parsed.data
  const known = codesOf(route).find(each => each === code)
  if (!known) return [`the server does not refuse this with ${code}`]
  return ERROR_STATUS[known] === status ? [] : [`${code} has status ${ERROR_STATUS[known]}, not ${status}`]
}

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}
const issuesOf = ({ issues }: Issues) => issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

/** Fields that the schema does not declare: the server removes them from its answers. */
function undeclaredFields(sent: unknown, kept: unknown, path = ''): string[] {
  if (typeof sent !== 'object' || sent === null) return []
  return Object.entries(sent).flatMap(([name, value]) => {
    const field = path === '' ? name : `${path}.${name}`
    const declared = Object.entries(kept ?? {}).find(([key]) => key === name)
    return declared ? undeclaredFields(value, declared[1], field) : [`${field}: it has no such field`]
  })
}

const asSent = (body: unknown): unknown => (body === undefined ? undefined : JSON.parse(JSON.stringify(body)))
const oneOrAll = (values: readonly string[]) => (values.length === 1 ? values[0] : values)

function paramsOf(route: RouteDefinition, path: string): Record<string, string> {
  const groups = ROUTES.find(each => each.route === route)?.pattern.exec(path)?.groups ?? {}
  return Object.fromEntries(Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]))
}
