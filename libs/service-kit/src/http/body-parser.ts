import { isUtf8 } from 'node:buffer'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import type { FastifyInstance } from 'fastify'
import { parse } from 'secure-json-parse'
import { assertSignedBody } from '../auth/admission.js'
import { hasMoreFormFields } from './form-fields.js'
import { hasTooManyValues } from './json-values.js'

/**
 * Parses the body of a request for a route. A body must be JSON; other types, such as a form of another site, are refused. A raw
 * route gets the bytes of any type unparsed, and for a form no more fields than it declares. An empty body is undefined.
 *
 * @throws DomainError UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE or MALFORMED_REQUEST
 */
export function parseBody(route: RouteDefinition | undefined, contentType: string | undefined, body: Buffer): unknown {
  if (route?.handling === 'raw') {
    if (route.maxFormFields !== undefined && hasMoreFormFields(body, route.maxFormFields))
      throw new DomainError('PAYLOAD_TOO_LARGE')
    return body
  }
  if (body.length === 0) return undefined
  if (!isJson(contentType)) throw new DomainError('UNSUPPORTED_MEDIA_TYPE')
  if (hasTooManyValues(body)) throw new DomainError('PAYLOAD_TOO_LARGE')
  if (!isUtf8(body)) throw new DomainError('MALFORMED_REQUEST')
  return parseJson(body.toString())
}

/** Replaces Fastify's own parsers. */
export function installBodyParsers(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      assertSignedBody(request, body)
      done(null, parseBody(request.routeOptions.config.route, request.headers['content-type'], body))
    } catch (error) {
      done(error as Error)
    }
  })
}

const JSON_TYPE = 'application/json'

const isJson = (contentType: string | undefined): boolean =>
  contentType !== undefined && contentType.split(';', 1)[0]!.trim().toLowerCase() === JSON_TYPE

function parseJson(text: string): unknown {
  try {
    // Keys such as `__proto__` could change objects that the value is copied into. They are an error.
    return parse(text, { protoAction: 'error', constructorAction: 'error' })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DomainError('MALFORMED_REQUEST')
  }
}
