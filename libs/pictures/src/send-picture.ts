import { Readable } from 'node:stream'
import { DomainError } from '@holdfast/kernel/errors'
import { isNoneMatch } from '@holdfast/service-kit/http/etag'
import type { RequestContext } from '@holdfast/service-kit/http/route'
import type { StoredObject } from '@holdfast/storage/object-storage'

/**
 * The picture with a given hash never changes, so a browser may keep it for a year without asking again (RFC 8246). A picture
 * that not everyone may see is not stored at all, because the next user of the same browser must not get it. Copies that were
 * kept while a picture was public stay where they are when it becomes private.
 */
const CACHE_CONTROL = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' } as const

/** A picture to send. */
export interface SentPicture {
  /** The hash of the bytes that are sent, or of what they were decrypted from. */
  readonly hash: string
  readonly object: StoredObject
  /** `public` when everyone may see it, and its address always has these bytes. */
  readonly caching: keyof typeof CACHE_CONTROL
}

/** A JPEG that not everyone may see, and that was decrypted. @param hash of the bytes that are stored or sent */
export const privateJpeg = (jpeg: Buffer, hash: string): SentPicture => ({
  hash,
  object: { stream: Readable.from([jpeg]), contentType: 'image/jpeg', sizeBytes: jpeg.byteLength },
  caching: 'private',
})

/**
 * Streams a picture, or answers 304 when `If-None-Match` names it. The headers prevent a browser that opens it directly
 * from guessing another type and from running scripts.
 *
 * @throws DomainError NOT_FOUND when it is null
 */
export function sendPicture(
  found: SentPicture | null,
  { request, reply }: Pick<RequestContext, 'request' | 'reply'>,
): void {
  if (!found) throw new DomainError('NOT_FOUND')
  const { hash, object, caching } = found
  const etag = `"${hash}"`
  reply
    .header('etag', etag)
    .header('cache-control', CACHE_CONTROL[caching])
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
  if (isNoneMatch(request.headers['if-none-match'], etag)) {
    object.stream.destroy()
    reply.code(304).send()
    return
  }
  reply.type(object.contentType).header('content-length', object.sizeBytes).send(object.stream)
}
