import type { Evidence } from '@holdfast/contracts/disputes'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { hashInput } from '@holdfast/service-kit/idempotency/idempotency'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import type { z } from 'zod'
import type { EvidenceRow } from './case-rows.js'
import { toEvidence } from './case-view.js'
import { CasesRepository } from './cases.repository.js'
import type { By } from './cases.service.js'
import { type Case, partyIn } from './domain/case.js'
import { decide } from './domain/decisions.js'
import { hashEntry } from './domain/evidence-chain.js'

/** What a party adds. `images` are the hashes of stored pictures. */
export interface NewEvidence {
  readonly note: string
  readonly images: readonly string[]
}

/** The evidence of a dispute: a list to which both parties add, and of which nothing is changed or removed. */
@Injectable()
export class EvidenceService {
  constructor(private readonly cases: CasesRepository) {}

  /**
   * Adds an entry. The first entry of the party who was to answer is their answer.
   *
   * @throws DomainError `NOT_FOUND` for a stranger; `FORBIDDEN` for a mediator; `DISPUTE_WRONG_STATE`; `RATE_LIMITED`
   */
  async add(id: number, evidence: NewEvidence, { user, key }: By): Promise<z.input<typeof Evidence>> {
    const inputHash = hashInput([id, evidence])
    const row = await this.cases.change(
      id,
      (dispute, given) => {
        const role = partyIn(dispute, user.id)
        if (!role) throw new DomainError(user.role === 'admin' ? 'FORBIDDEN' : 'NOT_FOUND')
        const actor = { role, userId: user.id }
        return { actor, change: decide(dispute, { type: 'addEvidence' }, { ...given, ...actor }) }
      },
      key === null ? null : { userId: user.id, route: 'addEvidence', key, inputHash },
      (manager, dispute, _, now) => append(manager, dispute, evidence, user.id, now),
    )
    assert(row, 'an entry was added')
    return toEvidence(id, { ...row, at: new Date(row.at) })
  }
}

/** Appends an entry. The dispute's row is locked, so no other entry comes between. */
async function append(
  manager: EntityManager,
  dispute: Case,
  { note, images }: NewEvidence,
  authorId: string,
  now: Date,
): Promise<EvidenceRow> {
  const [last]: { n: number; sha256: string }[] = await manager.query(
    'SELECT n, sha256 FROM evidence WHERE dispute_id = $1 ORDER BY n DESC LIMIT 1',
    [dispute.id],
  )
  const role = partyIn(dispute, authorId)
  assert(role, 'only parties add evidence')
  const n = (last?.n ?? 0) + 1
  const previousSha256 = last?.sha256 ?? null
  const sha256 = hashEntry({ disputeId: dispute.id, n, authorId, role, note, images, at: now, previousSha256 })
  await manager.query(
    `INSERT INTO evidence (dispute_id, n, author_id, role, note, images, at, sha256, previous_sha256)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [dispute.id, n, authorId, role, note, images, now, sha256, previousSha256],
  )
  return { n, author_id: authorId, role, note, images, at: now, sha256, previous_sha256: previousSha256 }
}
