import type { Parsed } from '@holdfast/contracts/route'
import type { CurrentUser } from '@holdfast/contracts/users'
import type { verificationRoutes } from '@holdfast/contracts/verification'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { maySubmitVerification, VERIFICATION_PICTURES, type VerificationStatus } from '@holdfast/kernel/users'
import { type PictureSender, UploadedPictures } from '@holdfast/pictures/uploaded-pictures'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User, viewOf } from '../users/user.entity.js'
import { type SealedDocuments, VerificationDocuments } from './verification-documents.js'

type Documents = Parsed<typeof verificationRoutes.submitVerification>['body']

/** How often a user may send documents within a day, failed attempts included. */
export const SUBMISSIONS_PER_DAY = 10
const limitOf = ({ DAY_SECONDS }: IdentityConfig): AttemptLimit => ({
  attempts: SUBMISSIONS_PER_DAY,
  seconds: DAY_SECONDS,
  refusal: 'You have sent documents several times today. Please try again tomorrow.',
})

/** Takes the documents that prove a user's identity. */
@Injectable()
export class VerificationService {
  readonly #perUser: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pictures: UploadedPictures,
    private readonly documents: VerificationDocuments,
    @Inject(CONFIG) config: IdentityConfig,
  ) {
    this.#perUser = new Attempts(dataSource, 'verifications', limitOf(config))
  }

  /**
   * Stores the documents, encrypted, and puts the submission into the queue of the operators. The row is committed first, as
   * `uploading`: when the process is killed before the end, the timer finds it and removes what was stored.
   *
   * @throws DomainError `CONFLICT` while documents are reviewed and for a verified user; `IMAGE_INVALID`, `IMAGE_TOO_LARGE`,
   * naming the field; `RATE_LIMITED`; `UNAVAILABLE`
   */
  async submit(sent: Documents, sender: PictureSender): Promise<CurrentUser> {
    const { userId, left } = sender
    await this.#check(this.dataSource.manager, userId)
    await this.#perUser.count(userId)
    const jpegs = await this.pictures.encode(new Map(VERIFICATION_PICTURES.map(name => [name, sent[name]])), sender)
    left.throwIfAborted()
    const submissionId = newId()
    const sealed = this.documents.seal(jpegs, { userId, submissionId })
    await this.dataSource.query(ADD, [submissionId, userId, ...columnsOf(sealed)])
    await this.documents.put(sealed)
    return this.dataSource.transaction(async dbTx => {
      const user = await this.#check(dbTx, userId, true)
      const [, count]: [unknown, number] = await dbTx.query(SUBMIT, [submissionId])
      // The upload took so long that its documents were removed meanwhile.
      if (count === 0) throw new DomainError('UNAVAILABLE')
      const changed = { verificationStatus: 'submitted', verificationReason: null } as const
      await dbTx.update(User, { id: userId }, changed)
      return viewOf({ ...user, ...changed })
    })
  }

  /** @throws DomainError `CONFLICT`, `UNAUTHENTICATED` when the account does not exist any more */
  async #check(dbTx: EntityManager, userId: string, isLocked = false): Promise<User> {
    const lock = isLocked ? { lock: { mode: 'pessimistic_write' as const } } : {}
    const user = await dbTx.findOne(User, { where: { id: userId }, ...lock })
    if (!user || user.closingId !== null) throw new DomainError('UNAUTHENTICATED')
    if (!maySubmitVerification(user.verificationStatus))
      throw new DomainError('CONFLICT', undefined, WHY[user.verificationStatus])
    return user
  }
}

const WHY: Partial<Record<VerificationStatus, string>> = {
  submitted: 'Your documents are under review already.',
  approved: 'You are verified already.',
}

const columnsOf = ({ objects, stored }: SealedDocuments) => [
  ...VERIFICATION_PICTURES.map(name => objects[name].key),
  stored.keyId,
  stored.wrapped,
]

const ADD = `INSERT INTO verification (id, user_id, id_front_image, id_back_image, selfie_image, master_key_id, wrapped_key)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`
const SUBMIT = `UPDATE verification SET state = 'submitted', submitted_at = now()
  WHERE id = $1 AND state = 'uploading' AND wrapped_key IS NOT NULL RETURNING 1`
