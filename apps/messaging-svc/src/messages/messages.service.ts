import { messagePosted } from '@holdfast/contracts/events'
import type { Message as MessageView } from '@holdfast/contracts/messages'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { invalidFields } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { answerOnce, hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import type { Deal } from '../deals/deal.entity.js'
import { DealsService } from '../deals/deals.service.js'
import { NotificationsService } from '../notifications/notifications.service.js'
import { Message, viewOf } from './message.entity.js'
import { PostingLimit } from './posting-limit.js'

/** A message to post. */
export interface Post {
  readonly transactionId: number
  readonly senderId: string
  readonly content: string
  readonly idempotencyKey: string | null
}

// The database compares the times, because a JavaScript date would lose the microseconds of the column.
const OLDER_THAN = `(message.createdAt, message.sequence) <
  (SELECT known.created_at, known.sequence FROM messages known WHERE known.id = :before)`

/** A part of a chat, oldest message first. */
export interface MessagePage {
  readonly messages: MessageView[]
  /** The id of the page's first message when there are older messages; null otherwise. It requests the page before. */
  readonly before: string | null
}

/** The chat of deals. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly deals: DealsService,
    private readonly notifications: NotificationsService,
    private readonly limit: PostingLimit,
    private readonly clock: Clock,
  ) {}

  /**
   * The newest `limit` messages of a deal, or the newest of those before the message `before`.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND` for a user who is not a party; `VALIDATION_FAILED` when `before` is no message of
   * this chat
   */
  async list(
    transactionId: number,
    userId: string,
    { limit, before }: { readonly limit: number; readonly before?: string | undefined },
  ): Promise<MessagePage> {
    await this.deals.getForParty(transactionId, userId)
    const query = this.dataSource
      .createQueryBuilder(Message, 'message')
      .where('message.transactionId = :transactionId', { transactionId })
      .orderBy('message.createdAt', 'DESC')
      .addOrderBy('message.sequence', 'DESC')
      .limit(limit + 1)
    if (before !== undefined) {
      await this.#requireMessage(transactionId, before)
      query.andWhere(OLDER_THAN, { before })
    }
    const newest = await query.getMany()
    const page = newest.slice(0, limit).reverse()
    return { messages: page.map(viewOf), before: newest.length > limit ? page[0]!.id : null }
  }

  /** The whole chat of a deal, oldest message first. The caller checks who may read it. */
  async listAll(transactionId: number): Promise<MessageView[]> {
    const order = { createdAt: 'ASC', sequence: 'ASC' } as const
    return (await this.dataSource.getRepository(Message).find({ where: { transactionId }, order })).map(viewOf)
  }

  /**
   * Posts a message and notifies the other party. A repeated request with the same idempotency key posts nothing and gets the
   * first answer.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `RATE_LIMITED`, `IDEMPOTENCY_KEY_REUSED`
   */
  async post(post: Post): Promise<MessageView> {
    const deal = await this.deals.getForParty(post.transactionId, post.senderId)
    await this.limit.count(post.senderId)
    const now = this.clock.now()
    const insert = (manager: EntityManager) => this.#insert(manager, deal, post, now)
    const key = keyOf(post)
    return key ? answerOnce(this.dataSource, key, now, insert) : this.dataSource.transaction(insert)
  }

  async #insert(manager: EntityManager, deal: Deal, { senderId, content }: Post, now: Date): Promise<MessageView> {
    const { transactionId, buyerId, sellerId } = deal
    const message = { id: newId(now.getTime()), transactionId, senderId, content, createdAt: now }
    await manager.insert(Message, message)
    await this.notifications.addForMessage(manager, deal, message)
    const payload = { messageId: message.id, transactionId, buyerId, sellerId, senderId }
    await appendToOutbox(manager, newEvent(messagePosted, transactionId, payload, now))
    return viewOf(message)
  }

  async #requireMessage(transactionId: number, id: string): Promise<void> {
    const exists = await this.dataSource.getRepository(Message).existsBy({ id, transactionId })
    if (!exists) throw invalidFields({ before: 'Not a message of this chat' })
  }
}

function keyOf({ transactionId, senderId, content, idempotencyKey }: Post): IdempotencyKey | null {
  if (idempotencyKey === null) return null
  const inputHash = hashInput([transactionId, content])
  return { userId: senderId, route: 'POST /api/transactions/{id}/messages', key: idempotencyKey, inputHash }
}
