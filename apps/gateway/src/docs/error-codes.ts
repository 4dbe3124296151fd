import type { RouteDefinition } from '@holdfast/contracts/route'
import type { ErrorCode } from '@holdfast/kernel/errors'
import { isRead } from '../forwarding/same-site.js'

/** Every code a route may answer with: those it names, and those that follow from what it is. */
export function codesOf(route: RouteDefinition): ErrorCode[] {
  const needsSession = route.access === 'user' || route.access === 'admin'
  const codes: ErrorCode[] = [
    ...(route.query || route.headers || route.body ? (['VALIDATION_FAILED'] as const) : []),
    ...(route.body ? (['MALFORMED_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(needsSession ? (['UNAUTHENTICATED'] as const) : []),
    ...(route.access === 'admin' ? (['FORBIDDEN'] as const) : []),
    ...(isRead(route.method) ? [] : (['CROSS_SITE_REQUEST'] as const)),
    ...(route.params ? (['NOT_FOUND'] as const) : []),
    ...(route.errors ?? []),
    'INTERNAL',
    'UNAVAILABLE',
  ]
  return [...new Set(codes)]
}
