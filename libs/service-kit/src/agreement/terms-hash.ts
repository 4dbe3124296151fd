/** What a signature covers, and its hash. listing-svc keeps the hash with each signature; escrow-svc computes it again for each deal. */
import { createHash } from 'node:crypto'
import type { ListingTerms } from '@holdfast/contracts/terms'
import { assert } from '@holdfast/kernel/assert'
import canonicalize from 'canonicalize'

/**
 * The terms that a party accepts, as the text that is hashed: all of them, besides the listing's status, which a deal changes. In
 * canonical JSON (RFC 8785) the same terms always give the same text, so that the hash can be recomputed from the terms.
 */
export function termsText(terms: ListingTerms): string {
  const { status: _status, signedHash: _signedHash, ...agreed } = terms
  const text = canonicalize(agreed)
  assert(text !== undefined, 'terms are an object')
  return text
}

/** The SHA-256 of `termsText` in UTF-8. It proves later which terms were accepted. */
export const hashTerms = (terms: ListingTerms): Buffer => createHash('sha256').update(termsText(terms)).digest()

/** The terms with the hash that their signature has when it was given for exactly these terms. */
export const signedTerms = (terms: ListingTerms): ListingTerms => ({
  ...terms,
  signedHash: hashTerms(terms).toString('hex'),
})
