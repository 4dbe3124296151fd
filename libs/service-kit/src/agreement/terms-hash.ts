/** What a signature covers, and its hash. listing-svc keeps the hash with each signature; escrow-svc computes it again for each deal. */
import { createHash } from 'node:crypto'
import type { ListingTerms, UnsignedTerms } from '@holdfast/contracts/terms'
import { assert } from '@holdfast/kernel/assert'
import canonicalize from 'canonicalize'

/**
 * The terms that a party accepts, as the text that is hashed: all of them, except the listing's status, which a deal changes. In
 * canonical JSON (RFC 8785) the same terms always give the same text, so that the hash can be recomputed from the terms.
 */
export function termsText(terms: UnsignedTerms | ListingTerms): string {
  const { status: _status, signedHash: _signedHash, ...agreed }: Partial<ListingTerms> = terms
  const text = canonicalize(agreed)
  assert(text !== undefined, 'terms are an object')
  return text
}

/** The SHA-256 of `termsText` in UTF-8. It proves later which terms were accepted. */
export const hashTerms = (terms: UnsignedTerms | ListingTerms): Buffer =>
  createHash('sha256').update(termsText(terms)).digest()

/** Terms that were signed as they are. */
export const signedTerms = (terms: UnsignedTerms): ListingTerms => ({
  ...terms,
  signedHash: hashTerms(terms).toString('hex'),
})
