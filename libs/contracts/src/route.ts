import { MAX_ANONYMOUS_REQUEST_BYTES, MAX_REQUEST_BYTES } from '@holdfast/kernel/requests'
import type { z } from 'zod'
import type { RecordAccess } from './record.js'
import type { ServiceName } from './topology.js'

export type { ServiceName }

/**
 * Who may call a route.
 *
 * - `public`: everyone; no session is looked up
 * - `visitor`: everyone; the handler gets the user, or null for a visitor
 * - `user`: a signed-in user
 * - `admin`: a mediator or operator; everybody else gets 404, as for a route that does not exist
 * - `{ internal }`: only the services named; the gateway never registers such a route
 */
export type Access = 'public' | 'visitor' | 'user' | 'admin' | { readonly internal: readonly ServiceName[] }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The definition of a route, from which everything else follows: the handler's path, status, parsing and answer schema,
 * the gateway's forwarding, the web app's types and the API documentation.
 */
export interface RouteDefinition {
  readonly method: Method
  /** `{name}` marks a path parameter. Public routes begin with `/api/`, internal ones with `/internal/`. */
  readonly path: `/${string}`
  readonly access: Access
  /**
   * The record that the path or the body names, and whose it is (`record.ts`). A public route with a parameter in its path has one;
   * a route without one is about no record, or about all that is the caller's own.
   */
  readonly record?: RecordAccess
  /**
   * The act changes where money goes or whom others trust. The gateway first asks identity-svc whether the person has shown a short time ago who
   * they are, and otherwise refuses with `CONFIRMATION_REQUIRED` (ADR 139).
   */
  readonly needsProof?: true
  /** One sentence for the API documentation. */
  readonly summary: string
  /** The HTTP status of success; 200 when left out. */
  readonly status?: 200 | 201 | 202 | 204
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly headers?: z.ZodType
  readonly body?: z.ZodType
  /** Fields that the schema does not declare are removed from the answer. */
  readonly response?: z.ZodType
  /** The error codes beyond those that every route may answer with (`error-codes.ts`). */
  readonly errors?: readonly import('@holdfast/kernel/errors').ErrorCode[]
  /** The largest request body in bytes, when it is another than the usual one (`maxBodyBytesOf`). */
  readonly bodyLimit?: number
  /** The most fields of a form that a `raw` route takes. A form with more is refused before anything reads its fields. */
  readonly maxFormFields?: number
  /**
   * `joined`: the gateway answers it from several services. `raw`: the handler reads the body's bytes or writes the
   * response itself (a signed webhook, an image, a stream of events).
   */
  readonly handling?: 'joined' | 'raw'
  /**
   * Requests that wait in the gateway at the same time may share one exchange with the service (`batches.ts`). It is for routes
   * that are called very often and answer fast. Their handlers can use only a part of Fastify's request and reply
   * (`batched-request.ts` of the service-kit).
   */
  readonly batched?: true
  /**
   * The service carries a request out once and answers it alike, also when it gets it twice at the same time, in two replicas: every one, or
   * every one with an `Idempotency-Key`. So its caller may send it again when a replica hangs, unless its body is large. A request that
   * waits for the payment provider must not be declared so: that one may refuse the second of two at the same time. Nor may one without a
   * key that sets a value: the first of two may be carried out last, and would undo what was set since.
   */
  readonly repeatable?: 'always' | 'with-key'
}

/** Whether a request may be sent twice at the same time: a read, and a write that is declared so. */
export function isRepeatable(
  { method, repeatable }: Pick<RouteDefinition, 'method' | 'repeatable'>,
  idempotencyKey: string | string[] | undefined,
): boolean {
  if (method === 'GET') return true
  return repeatable === 'always' || (repeatable === 'with-key' && idempotencyKey !== undefined)
}

/**
 * The largest request body of a route, in bytes. The gateway and the service both refuse a larger one before they read it. What anybody may
 * send without a session has a small one, because its sender is not known while it is read.
 */
export const maxBodyBytesOf = ({ access, bodyLimit }: Pick<RouteDefinition, 'access' | 'bodyLimit'>): number =>
  bodyLimit ?? (access === 'public' || access === 'visitor' ? MAX_ANONYMOUS_REQUEST_BYTES : MAX_REQUEST_BYTES)

/** Keeps the literal types of a definition. */
export const route = <const R extends RouteDefinition>(definition: R): R => definition

/** The parts of a request that a route may declare a schema for. */
export const REQUEST_PARTS = ['params', 'query', 'headers', 'body'] as const
export type RequestPart = (typeof REQUEST_PARTS)[number]

type Declared<R> = { [P in RequestPart]: P extends keyof R ? (R[P] extends z.ZodType ? P : never) : never }[RequestPart]

/** What a caller passes: the declared parts, before parsing. */
export type Input<R> = { [P in Declared<R>]: R[P] extends z.ZodType ? z.input<R[P]> : never }
/** What a handler receives: the declared parts, parsed. */
export type Parsed<R> = { [P in Declared<R>]: R[P] extends z.ZodType ? z.output<R[P]> : never }
/** What a handler returns. */
export type Answer<R> = R extends { response: infer S extends z.ZodType } ? z.input<S> : void
/** What a caller gets. */
export type Output<R> = R extends { response: infer S extends z.ZodType } ? z.output<S> : void
