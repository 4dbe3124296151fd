import type { Access, Answer, Parsed, RequestPart, RouteDefinition, ServiceName } from '@holdfast/contracts/route'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { IDEMPOTENCY_KEY_FORM, IDEMPOTENCY_KEY_PATTERN } from '@holdfast/kernel/requests'
import { HttpCode, Req, RequestMapping, RequestMethod, Res } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor, UserActor } from '../auth/actor.js'
import type {} from '../auth/admission.js'
import { requestContext } from '../telemetry/logging.js'
import { currentTraceId } from '../telemetry/telemetry.js'
import type { BatchableReply, BatchableRequest } from './batched-request.js'
import { hasCallerLeft } from './caller-left.js'
import { findUnstorable } from './storable.js'

/** The most fields that a refusal names. */
const MAX_REPORTED_FIELDS = 50
const MAX_FIELD_PATH_LENGTH = 100

/** The context of a request, which a handler gets with its input. */
export interface RequestContext<A = Actor | null, Request = FastifyRequest, Reply = FastifyReply> {
  /** The user or service on whose behalf the call is made. */
  readonly actor: A
  /** The service that called. */
  readonly caller: ServiceName
  readonly requestId: string
  /** The client's key; without one the signature's nonce, behind the gateway. */
  readonly idempotencyKey: string | null
  /** The client's address as the gateway saw it. */
  readonly clientIp: string | null
  readonly userAgent: string | null
  readonly request: Request
  readonly reply: Reply
}

/** The actors that a route of this access can have. */
export type ActorFor<A extends Access> = A extends 'user' | 'admin'
  ? UserActor
  : A extends 'visitor'
    ? UserActor | null
    : A extends 'public'
      ? null
      : Actor

/** The context of a route's handler. */
export type Ctx<R extends RouteDefinition> = R extends { batched: true }
  ? RequestContext<ActorFor<R['access']>, BatchableRequest, BatchableReply>
  : RequestContext<ActorFor<R['access']>>

type Sent<R> = R extends { handling: 'raw' } ? unknown : Answer<R>
/** A route's handler gets the parsed parts and returns the answer. A raw one may write to `ctx.reply` instead. */
export type Handler<R extends RouteDefinition> = (input: Parsed<R>, ctx: Ctx<R>) => Sent<R> | Promise<Sent<R>>

/** The handler's answer does not match its contract, which is a fault of ours. The error names the field, not its value. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch'
}

/**
 * Makes a controller's method the handler of a route: `@Route(routes.getTransaction) get(input, ctx) { … }`.
 *
 * When the method runs, the caller is admitted and each declared part is parsed. Its answer is reduced to the response
 * schema and sent with the route's status. One function wraps the method, without pipe, guard or interceptor, because these
 * would slow down the money commands. Nest routes to it and catches its errors.
 *
 * Refusals: malformed params are 404 NOT_FOUND; query, headers and body 400 VALIDATION_FAILED with `details.fields`.
 */
export function Route<const R extends RouteDefinition>(route: R) {
  return <H extends Handler<R>>(prototype: object, name: string, descriptor: TypedPropertyDescriptor<H>): void => {
    // `wrap` calls it with parts that the route's schemas have parsed, so they have the types that the handler declares.
    const handler = descriptor.value as unknown as AnyHandler
    const wrapped = wrap(route, handler)
    Object.defineProperty(wrapped, 'name', { value: name })
    const plain = descriptor as PropertyDescriptor
    plain.value = wrapped
    Req()(prototype, name, 0)
    Res()(prototype, name, 1)
    const path = route.path.replace(/\{(\w+)\}/g, ':$1')
    for (const decorate of [
      RequestMapping({ method: RequestMethod[route.method], path }),
      HttpCode(route.status ?? 200),
      RouteConfig({ route }),
    ]) {
      decorate(prototype, name, plain)
    }
  }
}

type AnyHandler = (this: unknown, input: Record<string, unknown>, ctx: RequestContext) => unknown
type FastifyHandler = (this: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<void>

function wrap(route: RouteDefinition, handler: AnyHandler): FastifyHandler {
  const parse = partsParser(route)
  const send = sender(route)
  return async function (request, reply) {
    const input = parse(request)
    const ctx = contextOf(route, request, reply)
    const traceId = currentTraceId()
    const scope = {
      requestId: ctx.requestId,
      hasCallerLeft: () => hasCallerLeft(request),
      ...(traceId !== undefined && { traceId }),
    }
    send(reply, await requestContext.run(scope, () => handler.call(this, input, ctx)))
  }
}

function contextOf(route: RouteDefinition, request: FastifyRequest, reply: FastifyReply): RequestContext {
  const { caller } = request
  if (!caller) throw new Error(`${route.path} was reached without admission`)
  const { headers } = request
  return {
    actor: actorFor(route, caller.actor, caller.caller),
    caller: caller.caller,
    requestId: request.id,
    // A signed request that somebody sends again has the same nonce, so its work is done once, too.
    idempotencyKey:
      route.method === 'GET' ? null : (idempotencyKeyOf(headers['idempotency-key']) ?? caller.nonce ?? null),
    clientIp: caller.clientIp,
    userAgent: headers['user-agent'] ?? null,
    request,
    reply,
  }
}

function actorFor({ access }: RouteDefinition, actor: Actor | null, caller: ServiceName): Actor | null {
  if (typeof access === 'object') return actor ?? { kind: 'service', name: caller }
  return access === 'public' ? null : actor
}

function idempotencyKeyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && IDEMPOTENCY_KEY_PATTERN.test(header)) return header
  throw invalidFields({ 'idempotency-key': `Must be ${IDEMPOTENCY_KEY_FORM}` })
}

const PARSE_ORDER: readonly RequestPart[] = ['params', 'query', 'headers', 'body']

function partsParser(route: RouteDefinition): (request: FastifyRequest) => Record<string, unknown> {
  const declared = PARSE_ORDER.flatMap(part => (route[part] ? [{ part, schema: route[part] }] : []))
  return request => {
    const input: Record<string, unknown> = {}
    let refused: Record<string, string> | null = null
    for (const { part, schema } of declared) {
      const result = parsePart(part, schema, request[part])
      if ('value' in result) input[part] = result.value
      else if (part === 'params') throw new DomainError('NOT_FOUND')
      else refused = Object.assign(result.fields, refused)
    }
    if (refused) throw invalidFields(refused)
    return input
  }
}

type PartResult = { readonly value: unknown } | { readonly fields: Record<string, string> }

function parsePart(part: RequestPart, schema: z.ZodType, given: unknown): PartResult {
  const unstorable = part === 'headers' ? null : findUnstorable(given)
  if (unstorable) return { fields: { [fieldName(part, unstorable.path)]: unstorable.message } }
  // An empty body is parsed as an object without fields, so that the refusal names the required fields.
  const parsed = schema.safeParse(part === 'body' && given === undefined ? {} : given)
  return parsed.success ? { value: parsed.data } : { fields: fieldsOf(part, parsed.error) }
}

/** The first message of each field, by its path. */
function fieldsOf(part: RequestPart, error: z.ZodError): Record<string, string> {
  const fields = new Map<string, string>()
  for (const issue of error.issues) {
    const paths = issue.code === 'unrecognized_keys' ? issue.keys.map(key => [...issue.path, key]) : [issue.path]
    for (const path of paths) {
      const name = fieldName(part, path.join('.'))
      if (!fields.has(name) && fields.size < MAX_REPORTED_FIELDS) fields.set(name, issue.message)
    }
  }
  return Object.fromEntries(fields)
}

/** The path of a field. An error of a whole part has the part's name. */
const fieldName = (part: RequestPart, path: string): string =>
  path === '' ? part : path.slice(0, MAX_FIELD_PATH_LENGTH)

function sender(route: RouteDefinition): (reply: FastifyReply, answer: unknown) => void {
  const { response } = route
  if (route.handling === 'raw') {
    return (reply, answer) => {
      if (answer !== undefined && !reply.sent) reply.send(answer)
    }
  }
  if (!response) return reply => void reply.send()
  return (reply, answer) => {
    // 304 has no body and must have no content-length, because a client would wait for the body.
    if (reply.statusCode === 304) return void reply.send()
    const stripped = response.safeParse(answer)
    if (!stripped.success) throw new ResponseMismatch(mismatchOf(route, stripped.error))
    reply.send(stripped.data)
  }
}

function mismatchOf(route: RouteDefinition, error: z.ZodError): string {
  const places = error.issues
    .slice(0, MAX_REPORTED_FIELDS)
    .map(issue => `${issue.path.join('.') || '(all)'}: ${issue.code}`)
  return `the answer of ${route.method} ${route.path} does not fit its contract at ${places.join(', ')}`
}
