import type { messageInternalRoutes } from '@holdfast/contracts/messages'
import type { Output, Parsed } from '@holdfast/contracts/route'
import { MAX_COUNTERPARTIES, MAX_UNREAD_SHOWN } from '@holdfast/kernel/messages'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { DealKeys } from '../deals/deal-keys.js'
import { DealsService } from '../deals/deals.service.js'
import { textOf } from '../messages/sealed-text.js'

type Query = Parsed<typeof messageInternalRoutes.listConversationRecords>['body']
type Records = Output<typeof messageInternalRoutes.listConversationRecords>

/** The deals of the user `$1`, with the other party. Two indexes serve it, one for each side. */
const OWN = `
  SELECT transaction_id, title, seller_id AS other_id, key_id, wrapped_key FROM deals WHERE buyer_id = $1 AND NOT hidden
  UNION ALL SELECT transaction_id, title, buyer_id, key_id, wrapped_key FROM deals WHERE seller_id = $1 AND NOT hidden`

/**
 * For each deal the last message that a person wrote and the number of unread ones, both from one index. `$3` is null on the first
 * page. A search finds a title that has the text `$5`, or one of the people `$6`.
 */
const LIST = `
  SELECT own.transaction_id AS "transactionId", own.title, own.other_id AS "otherId", own.key_id AS "keyId", own.wrapped_key AS "wrappedKey", last.id, last.sequence AS position,
    last.sender_id AS "senderId", last.content, last.sealed, last.images, last.created_at AS "createdAt", unread.count AS unread
  FROM (${OWN}) own
  CROSS JOIN LATERAL (
    SELECT id, sender_id, content, sealed, images, created_at, sequence FROM messages
    WHERE transaction_id = own.transaction_id AND sender_id IS NOT NULL ORDER BY sequence DESC LIMIT 1
  ) last
  LEFT JOIN read_marks mark ON mark.user_id = $1 AND mark.transaction_id = own.transaction_id
  CROSS JOIN LATERAL (
    SELECT count(*)::int FROM (
      SELECT FROM messages WHERE transaction_id = own.transaction_id AND sender_id = own.other_id
        AND sequence > coalesce(mark.sequence, 0) LIMIT ${MAX_UNREAD_SHOWN}
    ) found
  ) unread
  WHERE ($3::bigint IS NULL OR last.sequence < $3) AND (NOT $4 OR unread.count > 0)
    AND ($5::text IS NULL OR position(lower($5) IN lower(own.title)) > 0 OR own.other_id = ANY($6::uuid[]))
  ORDER BY last.sequence DESC LIMIT $2`

interface Row extends Omit<Records[number], 'lastMessage' | 'transactionId' | 'position'> {
  /** The driver answers a bigint as text. */
  readonly transactionId: string
  readonly position: string
  readonly keyId: string | null
  readonly wrappedKey: Buffer | null
  /** The last message. */
  readonly id: string
  readonly senderId: string
  readonly content: string
  readonly sealed: Buffer | null
  readonly images: number
  readonly createdAt: Date
}

/**
 * A mark never moves back: a slow request of an older page changes nothing. When two people write at the same moment, a message that is
 * shown earlier can have the later number. It has been read, too.
 */
const MARK = `
  INSERT INTO read_marks (user_id, transaction_id, sequence)
  SELECT $1, shown.transaction_id, greatest(shown.sequence, (
    SELECT max(sequence) FROM messages WHERE transaction_id = shown.transaction_id AND sender_id IS NOT NULL
      AND sequence > shown.sequence AND created_at < shown.created_at
  )) FROM messages shown WHERE transaction_id = $2 AND id = $3
  ON CONFLICT (user_id, transaction_id) DO UPDATE SET sequence = excluded.sequence WHERE read_marks.sequence < excluded.sequence`
const MARK_ALL = `
  INSERT INTO read_marks (user_id, transaction_id, sequence)
  SELECT $1, own.transaction_id, last.sequence FROM (${OWN}) own CROSS JOIN LATERAL (
    SELECT sequence FROM messages WHERE transaction_id = own.transaction_id AND sender_id IS NOT NULL ORDER BY sequence DESC LIMIT 1
  ) last
  ON CONFLICT (user_id, transaction_id) DO UPDATE SET sequence = excluded.sequence WHERE read_marks.sequence < excluded.sequence`
/** A message that is posted meanwhile waits for this lock, and its notification is a new one then. */
const LOCK_NOTIFICATIONS = `
  SELECT FROM notifications WHERE user_id = $1 AND type = 'message' AND read_at IS NULL
    AND ($2::bigint IS NULL OR transaction_id = $2) ORDER BY id FOR UPDATE`
/** What the bell says about a chat is read when nothing of the chat is unread. */
const READ_NOTIFICATIONS = `
  UPDATE notifications SET read_at = $2 WHERE user_id = $1 AND type = 'message' AND read_at IS NULL
    AND ($3::bigint IS NULL OR transaction_id = $3)
    AND NOT EXISTS (
      SELECT FROM messages LEFT JOIN read_marks mark ON mark.user_id = $1 AND mark.transaction_id = messages.transaction_id
      WHERE messages.transaction_id = notifications.transaction_id AND sender_id <> $1
        AND messages.sequence > coalesce(mark.sequence, 0)
    )`

/** The chats of a user in which somebody has written, and which of their messages the user has read. */
@Injectable()
export class ConversationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly deals: DealsService,
    private readonly keys: DealKeys,
    private readonly clock: Clock,
  ) {}

  /** A page of chats, the latest message first. */
  async list(userId: string, { limit, before, unread, search }: Query): Promise<Records> {
    const values = [userId, limit, before ?? null, unread, search?.text ?? null, search?.others ?? []]
    const rows: Row[] = await this.dataSource.query(LIST, values)
    return rows.map(row => this.#viewOf(row))
  }

  #viewOf({ title, otherId, unread, position, senderId, images, createdAt, ...row }: Row): Records[number] {
    const deal = { transactionId: Number(row.transactionId), keyId: row.keyId, wrappedKey: row.wrappedKey }
    const content = textOf({ ...row, ...deal }, () => this.keys.open(deal))
    const lastMessage = { senderId, content, images, createdAt: createdAt.toISOString() }
    return { transactionId: deal.transactionId, title, otherId, unread, position: Number(position), lastMessage }
  }

  /** The people with whom a user has a deal, those of the latest deals first. */
  async counterparties(userId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT other_id AS id FROM (${OWN}) own GROUP BY other_id ORDER BY max(transaction_id) DESC LIMIT ${MAX_COUNTERPARTIES}`,
      [userId],
    )
    return rows.map(({ id }) => id)
  }

  /**
   * Marks the messages of a chat up to one of them as read, and the notification about them unless a later one is unread.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND` for a user who is not a party
   */
  async read(transactionId: number, userId: string, upTo: string): Promise<void> {
    await this.deals.getForParty(transactionId, userId)
    await this.#mark(userId, transactionId, dbTx => dbTx.query(MARK, [userId, transactionId, upTo]))
  }

  /** Marks the messages of all chats of a user as read. */
  async readAll(userId: string): Promise<void> {
    await this.#mark(userId, null, dbTx => dbTx.query(MARK_ALL, [userId]))
  }

  /** @param transactionId the chat; null for all chats */
  async #mark(userId: string, transactionId: number | null, mark: (dbTx: EntityManager) => Promise<unknown>) {
    await this.dataSource.transaction(async dbTx => {
      await dbTx.query(LOCK_NOTIFICATIONS, [userId, transactionId])
      await mark(dbTx)
      await dbTx.query(READ_NOTIFICATIONS, [userId, this.clock.now(), transactionId])
    })
  }
}
