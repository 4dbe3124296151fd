import { dealReviewed } from '@holdfast/contracts/events'
import type { ReviewRecord, reviewInternalRoutes, reviewRoutes } from '@holdfast/contracts/reviews'
import type { Parsed } from '@holdfast/contracts/route'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { isFinished, type PartyRole } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { DealEntity } from '../deals/deal.entity.js'
import { DealQueries } from '../deals/deal-queries.js'

type NewReview = Parsed<typeof reviewRoutes.createReview>['body']
type Page = Parsed<typeof reviewInternalRoutes.listReviewRecords>['body']

const COLUMNS =
  'id, author_id AS "authorId", author_role AS "authorRole", rating, content AS text, created_at AS "createdAt"'
const ADD = `
  INSERT INTO review (id, transaction_id, author_id, author_role, subject_id, rating, content) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT ON CONSTRAINT review_once DO NOTHING RETURNING ${COLUMNS}`

interface Row extends Omit<ReviewRecord, 'createdAt'> {
  readonly createdAt: Date
}

/** What the parties of a deal say about each other. A review cannot be changed or taken back. */
@Injectable()
export class ReviewsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly deals: DealQueries,
  ) {}

  /**
   * Stores a party's review of the other one, and publishes it.
   *
   * @throws DomainError TRANSACTION_NOT_FOUND; ESCROW_WRONG_STATE for a deal that is not completed; SELLER_NOT_ACCEPTED for one that its seller
   * never accepted, whom a mediator may have paid nevertheless; REVIEW_EXISTS
   */
  async add(transactionId: number, authorId: string, { rating, text }: NewReview): Promise<ReviewRecord> {
    const deal = await this.deals.getVisible(transactionId, authorId)
    const { buyerId, sellerId, status, terms } = deal
    const authorRole = roleOf(deal, authorId)
    if (!isFinished(status))
      throw new DomainError('ESCROW_WRONG_STATE', { status }, 'A review follows a completed transaction.')
    if (!deal.sellerAccepted) throw new DomainError('SELLER_NOT_ACCEPTED', undefined, 'The seller never accepted this.')
    if (!mayBeReviewedBy(authorRole, deal))
      throw new DomainError('ESCROW_WRONG_STATE', { status }, 'Your bank took the whole payment back.')
    const subjectId = authorRole === 'buyer' ? sellerId : buyerId
    return this.dataSource.transaction(async dbTx => {
      const values = [newId(), transactionId, authorId, authorRole, subjectId, rating, text ?? null]
      const [row]: Row[] = await dbTx.query(ADD, values)
      if (!row) throw new DomainError('REVIEW_EXISTS')
      const at = row.createdAt
      const parties = { buyerId, sellerId, subjectId, authorRole }
      const facts = { transactionId, title: terms.title, ...parties, rating, at: at.toISOString() }
      await appendToOutbox(dbTx, newEvent(dealReviewed, transactionId, facts, at))
      return toRecord(row)
    })
  }

  /**
   * The reviews of a deal, and whether the reader may write one.
   *
   * @throws DomainError TRANSACTION_NOT_FOUND
   */
  async ofDeal(transactionId: number, readerId: string) {
    const deal = await this.deals.getVisible(transactionId, readerId)
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM review WHERE transaction_id = $1 ORDER BY id`,
      [transactionId],
    )
    const isWritten = rows.some(({ authorId }) => authorId === readerId)
    const mayReview = !isWritten && mayBeReviewedBy(roleOf(deal, readerId), deal)
    return { mayReview, reviews: rows.map(toRecord) }
  }

  /** A page of the reviews of a user, newest first. */
  async about({ userId, limit, before }: Page): Promise<ReviewRecord[]> {
    const rows: Row[] = await this.dataSource.query(
      `SELECT ${COLUMNS} FROM review WHERE subject_id = $1 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $2`,
      [userId, limit, before ?? null],
    )
    return rows.map(toRecord)
  }
}

const roleOf = ({ buyerId }: DealEntity, userId: string): PartyRole => (userId === buyerId ? 'buyer' : 'seller')

/**
 * Whether a party may review the other one. A deal whose money went back to the buyer by a refund is `cancelled`, and has no reviews. A buyer
 * whose bank took the whole payment back after the release has bought nothing; the seller may still say how that was.
 */
const mayBeReviewedBy = (role: PartyRole, { status, releasedMinor, sellerAccepted }: DealEntity): boolean =>
  isFinished(status) && sellerAccepted && (role === 'seller' || releasedMinor > 0n)

const toRecord = ({ createdAt, ...row }: Row): ReviewRecord => ({ ...row, createdAt: createdAt.toISOString() })
