import type { ErrorCode } from '@holdfast/kernel/errors'
import type { RouteDefinition } from './route.js'

/** Every code a route may answer with: those that it lists, and those that follow from its method, access and input. */
export function codesOf(route: RouteDefinition): ErrorCode[] {
  const { access } = route
  const codes: ErrorCode[] = [
    ...(route.query || route.headers ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.method === 'GET' ? [] : codesOfWrite(route)),
    ...(access === 'user' ? (['UNAUTHENTICATED'] as const) : []),
    ...(typeof access === 'object' ? (['FORBIDDEN'] as const) : []),
    ...(access === 'admin' ? (['NOT_FOUND', 'ADMIN_NEEDS_SECOND_FACTOR'] as const) : []),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.needsProof ? (['CONFIRMATION_REQUIRED'] as const) : []),
    ...(route.errors ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}

/**
 * The codes of every route that writes. Its idempotency key and its body may be malformed, and another write may block it
 * in the database.
 */
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
