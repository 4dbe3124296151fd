import { DomainError } from '@holdfast/kernel/errors'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import { isNoneMatch } from '../etag.js'
import type { ImagesService } from './images.service.js'

/** The picture with a given hash never changes, so a browser may keep it for a year without asking again (RFC 8246). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/**
 * Streams a picture, or answers 304 when `If-None-Match` names it. The headers prevent a browser that opens it directly
 * from guessing another type and from running scripts.
 *
 * @throws DomainError NOT_FOUND
 */
export async function sendImage(
  images: Pick<ImagesService, 'find'>,
  hash: string,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
): Promise<void> {
  const found = await images.find(hash)
  if (!found) throw new DomainError('NOT_FOUND')
  const etag = `"${hash}"`
  reply
    .header('etag', etag)
    .header('cache-control', CACHE_CONTROL)
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
  if (isNoneMatch(request.headers['if-none-match'], etag)) {
    found.stream.destroy()
    reply.code(304).send()
    return
  }
  reply.type(found.contentType).header('content-length', found.sizeBytes).send(found.stream)
}
