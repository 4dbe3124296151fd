import type { disputeRoutes } from '@holdfast/contracts/dispute-routes'
import type { Evidence } from '@holdfast/contracts/disputes'
import type { Parsed } from '@holdfast/contracts/route'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import type { SentPicture } from '@holdfast/pictures/send-picture'
import { checkStarts } from '@holdfast/pictures/uploaded-pictures'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Injectable } from '@nestjs/common'
import { InjectEntityManager } from '@nestjs/typeorm'
import type { EntityManager } from 'typeorm'
import type { z } from 'zod'
import type { EvidenceRow } from './case-rows.js'
import { toEvidence } from './case-view.js'
import { CasesRepository, type DecideCase } from './cases.repository.js'
import type { Sender } from './cases.service.js'
import { partyIn } from './domain/case.js'
import { decide } from './domain/decisions.js'
import { roleIn } from './domain/turns.js'
import { EvidencePictures, type StoredPictures } from './evidence-pictures.js'
import { appendEntry, findPicture, type PictureAddress } from './evidence-rows.js'

/** What a party sends. `images` are data URLs. */
type SentEvidence = Parsed<typeof disputeRoutes.addEvidence>['body']

/** The user who sends evidence. */
interface EvidenceSender extends Sender {
  /** Aborted when the user's connection has closed: pictures that wait are then not decoded, and nothing is added. */
  readonly left: AbortSignal
}

/** The evidence of a dispute: a list to which both parties add, and of which nothing is changed or removed. */
@Injectable()
export class EvidenceService {
  constructor(
    private readonly cases: CasesRepository,
    private readonly pictures: EvidencePictures,
    @InjectEntityManager() private readonly manager: EntityManager,
  ) {}

  /**
   * Adds an entry. The first entry of the party who was to answer is their answer. A repeated request gets the first answer, and its
   * pictures are not decoded again.
   *
   * @throws DomainError `NOT_FOUND` for a stranger; `FORBIDDEN` for a mediator; `DISPUTE_WRONG_STATE`; `RATE_LIMITED`;
   * `IMAGE_INVALID` and `IMAGE_TOO_LARGE`, naming the field: `images.2`; `IDEMPOTENCY_KEY_REUSED`; `UNAVAILABLE`
   */
  async add(id: number, sent: SentEvidence, by: EvidenceSender): Promise<z.input<typeof Evidence>> {
    checkStarts(sent.images)
    const { user, key } = by
    const once = key === null ? null : { userId: user.id, route: 'addEvidence', key, inputHash: hashInput([id, sent]) }
    const row = (once && (await this.cases.findWritten<EvidenceRow>(once))) ?? (await this.append(id, sent, by, once))
    assert(row, 'an entry was added')
    // The answer to a repeated request was stored as JSON.
    return toEvidence(id, { ...row, at: new Date(row.at) })
  }

  /**
   * A picture, for the deal's parties and for mediators. It is null for everyone else, as for one that does not exist.
   *
   * @throws CannotOpen, UnknownMasterKey
   */
  async find(address: PictureAddress, user: UserActor): Promise<SentPicture | null> {
    const found = await findPicture(this.manager, address)
    if (!found || !roleIn(found, user)) return null
    return this.pictures.read(found)
  }

  private async append(id: number, { note, images }: SentEvidence, by: EvidenceSender, once: IdempotencyKey | null) {
    const content = { note, pictures: await this.store(id, images, by) }
    return this.cases.change(id, addedBy(by.user), once, (manager, dispute, _, now) =>
      appendEntry(manager, dispute, content, by.user.id, now),
    )
  }

  /** Stores the pictures. It first checks that the user may add them, so that a stranger cannot make the service decode pictures. */
  private async store(
    id: number,
    images: readonly string[],
    { user, left }: EvidenceSender,
  ): Promise<StoredPictures | null> {
    if (images.length === 0) return null
    await this.cases.check(id, addedBy(user))
    const stored = await this.pictures.store(id, images, { userId: user.id, left })
    // The sender got no answer and may have sent the request again without a key: a second entry must not appear.
    left.throwIfAborted()
    return stored
  }
}

/** Decides about a new entry of a user. */
const addedBy =
  (user: UserActor): DecideCase =>
  (dispute, given) => {
    const role = partyIn(dispute, user.id)
    if (!role) throw new DomainError(user.role === 'admin' ? 'FORBIDDEN' : 'NOT_FOUND')
    const actor = { role, userId: user.id }
    return { actor, change: decide(dispute, { type: 'addEvidence' }, { ...given, ...actor }) }
  }
