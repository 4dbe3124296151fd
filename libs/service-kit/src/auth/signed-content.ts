import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What the signature of a call covers besides caller, method and path: its body, and the headers that decide what it does. */
export interface SignedContent {
  /** `hashOfBody` of the body. */
  readonly bodyHash: string
  /** A hash of the headers `idempotency-key` and `if-match`; empty without both. */
  readonly headersHash: string
}

/** The hash by which a signature covers a body; empty without a body. */
export const hashOfBody = (body: Buffer | string): string =>
  body.length === 0 ? '' : hash('sha256', body, 'base64url')

/** Neither value can contain a newline, so different headers never make the same text. */
function hashOfHeaders(headers: IncomingHttpHeaders): string {
  const [key, condition] = [headers['idempotency-key'], headers['if-match']]
  return key === undefined && condition === undefined
    ? ''
    : hash('sha256', `${key ?? ''}\n${condition ?? ''}`, 'base64url')
}

/** What a signature covers of a request that is about to be sent. @param headers with names in lower case */
export const contentOf = (
  headers: Readonly<Record<string, string>> = {},
  body: Buffer | string | null = null,
): SignedContent => ({ bodyHash: hashOfBody(body ?? ''), headersHash: hashOfHeaders(headers) })

/** Whether the head of a request that has arrived is the one that was signed. Its body is checked when it is parsed. */
export function isSignedHead({ bodyHash, headersHash }: SignedContent, headers: IncomingHttpHeaders): boolean {
  if (hashOfHeaders(headers) !== headersHash) return false
  // A request without these headers has no body, and no body is parsed then (RFC 9112, section 6.3).
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  return hasBody || bodyHash === ''
}
