import { createHash } from 'node:crypto'
import type { Party } from './domain/case.js'

/** What an entry of the evidence says. */
export interface EvidenceEntry {
  readonly disputeId: number
  /** 1, 2, 3 … in the order in which the entries were added. */
  readonly n: number
  readonly authorId: string
  readonly role: Party
  readonly note: string
  /** The SHA-256 hashes of the pictures, in order. */
  readonly images: readonly string[]
  readonly at: Date
  /** The hash of the entry before it; null for the first one. */
  readonly previousSha256: string | null
}

/**
 * The SHA-256 hash of an entry, in hexadecimal digits. The hash of the entry before it is a part of it, so an entry that was changed,
 * removed or inserted later changes the hash of every entry after it. `docs/architecture.md`, "Evidence", says how to compute it.
 */
export function hashEntry(entry: EvidenceEntry): string {
  const { disputeId, n, authorId, role, note, images, at, previousSha256 } = entry
  const fields = [disputeId, n, authorId, role, note, images, at.toISOString(), previousSha256]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}
