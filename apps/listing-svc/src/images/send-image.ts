import { DomainError } from '@holdfast/kernel/errors'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import { isNoneMatch } from '../etag.js'
import type { FoundPicture } from './images.service.js'

/**
 * The picture with a given hash never changes, so a browser may keep it for a year without asking again (RFC 8246). A picture
 * that not everyone may see is not stored at all, because the next user of the same browser must not get it. Copies that were
 * kept while a listing was public stay where they are when it becomes private.
 */
const CACHE_CONTROL = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' } as const
/** For a stored picture in place of a scaled one: the address will have other bytes when the scaled one is made. */
const SUBSTITUTE_CACHE_CONTROL = CACHE_CONTROL.private

/**
 * Streams a picture, or answers 304 when `If-None-Match` names it. The headers prevent a browser that opens it directly
 * from guessing another type and from running scripts.
 *
 * @throws DomainError NOT_FOUND when it is null
 */
export function sendImage(
  found: FoundPicture | null,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
): void {
  if (!found) throw new DomainError('NOT_FOUND')
  const { hash, object, visibility, isFinal } = found
  const etag = `"${hash}"`
  reply
    .header('etag', etag)
    .header('cache-control', isFinal ? CACHE_CONTROL[visibility] : SUBSTITUTE_CACHE_CONTROL)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
  if (isNoneMatch(request.headers['if-none-match'], etag)) {
    object.stream.destroy()
    reply.code(304).send()
    return
  }
  reply.type(object.contentType).header('content-length', object.sizeBytes).send(object.stream)
}
