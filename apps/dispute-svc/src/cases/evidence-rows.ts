import { assert } from '@holdfast/kernel/assert'
import type { EntityManager } from 'typeorm'
import type { EvidenceRow } from './case-rows.js'
import { type Case, partyIn } from './domain/case.js'
import { hashEntry } from './evidence-chain.js'
import type { PictureRow, StoredPictures } from './evidence-pictures.js'

/** What an entry says. */
export interface EntryContent {
  readonly note: string
  /** Null when it has none. */
  readonly pictures: StoredPictures | null
}

/** Appends an entry. The dispute's row is locked, so no other entry comes between. */
export async function appendEntry(
  manager: EntityManager,
  dispute: Case,
  { note, pictures }: EntryContent,
  authorId: string,
  now: Date,
): Promise<EvidenceRow> {
  const [last]: { n: number; sha256: string }[] = await manager.query(
    'SELECT n, sha256 FROM evidence WHERE dispute_id = $1 ORDER BY n DESC LIMIT 1',
    [dispute.id],
  )
  const role = partyIn(dispute, authorId)
  assert(role, 'only parties add evidence')
  const images = pictures?.hashes ?? []
  const n = (last?.n ?? 0) + 1
  const previousSha256 = last?.sha256 ?? null
  const sha256 = hashEntry({ disputeId: dispute.id, n, authorId, role, note, images, at: now, previousSha256 })
  await manager.query(
    `INSERT INTO evidence (dispute_id, n, author_id, role, note, images, at, sha256, previous_sha256)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [dispute.id, n, authorId, role, note, images, now, sha256, previousSha256],
  )
  if (pictures) {
    const { objectKeys, dataKey } = pictures
    await manager.query(
      'INSERT INTO evidence_pictures (dispute_id, n, object_keys, key_id, wrapped_key) VALUES ($1, $2, $3, $4, $5)',
      [dispute.id, n, objectKeys, dataKey.keyId, dataKey.wrapped],
    )
  }
  return { n, author_id: authorId, role, note, images, at: now, sha256, previous_sha256: previousSha256 }
}

/** Which picture: `index` counts from 0 within entry `n`. */
export interface PictureAddress {
  readonly id: number
  readonly n: number
  readonly index: number
}

/** A picture and the parties of its dispute; null when there is no such picture. */
export async function findPicture(
  manager: EntityManager,
  { id, n, index }: PictureAddress,
): Promise<(PictureRow & { buyerId: string; sellerId: string }) | null> {
  const [found] = await manager.query(
    `SELECT e.images[$3::int + 1] AS hash, d.buyer_id AS "buyerId", d.seller_id AS "sellerId",
       p.object_keys[$3::int + 1] AS "objectKey", p.key_id AS "keyId", p.wrapped_key AS wrapped
     FROM evidence e JOIN dispute d ON d.id = e.dispute_id LEFT JOIN evidence_pictures p USING (dispute_id, n)
     WHERE e.dispute_id = $1 AND e.n = $2::bigint`,
    [id, n, index],
  )
  if (!found?.hash) return null
  const { hash, buyerId, sellerId, objectKey, keyId, wrapped } = found
  const sealed = objectKey && { objectKey, dataKey: { keyId, wrapped } }
  return { disputeId: id, hash, buyerId, sellerId, sealed }
}
