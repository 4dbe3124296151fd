import type { Output, Parsed } from '@holdfast/contracts/route'
import type { VerificationCase, verificationAdminRoutes } from '@holdfast/contracts/verification'
import { DomainError } from '@holdfast/kernel/errors'
import { keepAct } from '@holdfast/service-kit/audit/admin-acts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { VerificationDocuments } from './verification-documents.js'

type Page = Parsed<typeof verificationAdminRoutes.listVerifications>['query']
type Looked = Output<typeof verificationAdminRoutes.lookAtVerification>

/** What operators read of submissions. Decisions are made in `AdminUsersService`. */
@Injectable()
export class VerificationReviewService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly documents: VerificationDocuments,
  ) {}

  /** The submissions that wait, oldest first. */
  async list({ limit, after }: Page): Promise<VerificationCase[]> {
    const rows: Row[] = await this.dataSource.query(LIST, [limit, after ?? null])
    return rows.map(caseOf)
  }

  /**
   * The documents of the submission that waits. The look is kept before anything is read, also when the reading then fails.
   *
   * @throws DomainError `NOT_FOUND` when nothing of the user waits; `FORBIDDEN` for oneself
   */
  async look(userId: string, { actorId, reason }: { actorId: string; reason: string }): Promise<Looked> {
    if (userId === actorId) throw new DomainError('FORBIDDEN')
    const [row]: Row[] = await this.dataSource.query(FIND, [userId])
    if (!row) throw new DomainError('NOT_FOUND')
    const { submissionId } = row
    const subject = `user:${userId}`
    const after = { submissionId }
    await keepAct(this.dataSource, { actorId, reason, act: 'verification.look', subject, before: null, after })
    const stored = { keyId: row.masterKeyId, wrapped: row.wrappedKey }
    const { idFrontImage, idBackImage, selfieImage } = await this.documents.read(row, stored, { userId, submissionId })
    return {
      ...caseOf(row),
      pictures: {
        idFrontImage: urlOf(idFrontImage),
        idBackImage: urlOf(idBackImage),
        selfieImage: urlOf(selfieImage),
      },
    }
  }
}

interface Row extends Omit<VerificationCase, 'submittedAt'> {
  readonly submittedAt: Date
  readonly idFrontImage: string
  readonly idBackImage: string
  readonly selfieImage: string
  readonly masterKeyId: string
  readonly wrappedKey: Buffer
}

const urlOf = (jpeg: Buffer) => `data:image/jpeg;base64,${jpeg.toString('base64')}`
const caseOf = ({ submittedAt, ...row }: Row): VerificationCase => ({ ...row, submittedAt: submittedAt.toISOString() })

const SELECT = `SELECT v.id AS "submissionId", v.user_id AS "userId", u.first_name AS "firstName", u.last_name AS "lastName",
    u.username, u.email, v.submitted_at AS "submittedAt", v.id_front_image AS "idFrontImage", v.id_back_image AS "idBackImage",
    v.selfie_image AS "selfieImage", v.master_key_id AS "masterKeyId", v.wrapped_key AS "wrappedKey"
  FROM verification v JOIN users u ON u.id = v.user_id WHERE v.state = 'submitted'`
const LIST = `${SELECT} AND ($2::uuid IS NULL OR v.id > $2) ORDER BY v.id LIMIT $1`
const FIND = `${SELECT} AND v.user_id = $1`
