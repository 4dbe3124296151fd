import type { ErrorCode } from '@holdfast/kernel/errors'
import type { RouteDefinition } from './route.js'

/** Every code a route may answer with: those it names, and those that follow from what it is. */
export function codesOf(route: RouteDefinition): ErrorCode[] {
  const { access } = route
  const codes: ErrorCode[] = [
    ...(route.query || route.headers ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.method === 'GET' ? [] : codesOfWrite(route)),
    ...(access === 'user' || access === 'admin' ? (['UNAUTHENTICATED'] as const) : []),
    ...(access === 'admin' || typeof access === 'object' ? (['FORBIDDEN'] as const) : []),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.errors ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}

/** A write has an idempotency key that may be malformed, and may meet another in the database; whatever body comes is read. */
function codesOfWrite({ access, handling }: RouteDefinition): ErrorCode[] {
  return [
    'VALIDATION_FAILED',
    'MALFORMED_REQUEST',
    'PAYLOAD_TOO_LARGE',
    ...(handling === 'raw' ? [] : (['UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...(typeof access === 'object' ? [] : (['CROSS_SITE_REQUEST'] as const)),
    'CONFLICT',
  ]
}
