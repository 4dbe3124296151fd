import { messagePosted } from '@holdfast/contracts/events'
import type { Message as MessageView } from '@holdfast/contracts/messages'
import type { DataKey } from '@holdfast/encryption/data-key'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { invalidFields } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { answerOnce, hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { Deal } from '../deals/deal.entity.js'
import { DealKeys, type DealWithKey } from '../deals/deal-keys.js'
import { DealsService } from '../deals/deals.service.js'
import { NotificationsService } from '../notifications/notifications.service.js'
import { Message, viewOf } from './message.entity.js'
import { PostingLimit } from './posting-limit.js'
import { sealText, textOf } from './sealed-text.js'

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
    private readonly keys: DealKeys,
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
    const deal = await this.deals.getForParty(transactionId, userId)
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
    return {
      messages: this.#read(await this.#withKey(deal, page), page),
      before: newest.length > limit ? page[0]!.id : null,
    }
  }

  /** The whole chat of a deal, oldest message first. The caller checks who may read it. */
  async listAll(transactionId: number): Promise<MessageView[]> {
    const order = { createdAt: 'ASC', sequence: 'ASC' } as const
    const messages = await this.dataSource.getRepository(Message).find({ where: { transactionId }, order })
    return this.#read(await this.#withKey({ transactionId, keyId: null, wrappedKey: null }, messages), messages)
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
    const dataKey = await this.keys.openOrMake(this.dataSource, deal)
    const insert = (manager: EntityManager) => this.#insert(manager, deal, dataKey, post, now)
    const key = keyOf(post, dataKey)
    const answer = await (key ? answerOnce(this.dataSource, key, now, insert) : this.dataSource.transaction(insert))
    // The answer is stored with its key, and so it is stored without the text. A repeated request has sent the same text.
    return { ...answer, content: post.content }
  }

  /** The deal with its key, when a message needs it. The first message may have been posted after the deal was read. */
  async #withKey(deal: DealWithKey, messages: readonly Message[]): Promise<DealWithKey> {
    if (deal.keyId !== null || messages.every(({ sealed }) => sealed === null)) return deal
    return this.dataSource.getRepository(Deal).findOneByOrFail({ transactionId: deal.transactionId })
  }

  /** Decrypts messages. The key is unwrapped once, and only when one of them is encrypted. */
  #read(deal: DealWithKey, messages: readonly Message[]): MessageView[] {
    let key: DataKey | undefined
    const keyOf = () => (key ??= this.keys.open(deal))
    return messages.map(message => viewOf(message, textOf(message, keyOf)))
  }

  async #insert(
    manager: EntityManager,
    deal: Deal,
    dataKey: DataKey,
    { senderId, content }: Post,
    now: Date,
  ): Promise<MessageView> {
    const { transactionId, buyerId, sellerId } = deal
    const message = { id: newId(now.getTime()), transactionId, senderId, createdAt: now }
    await manager.insert(Message, { ...message, ...sealText(dataKey, message, content) })
    await this.notifications.addForMessage(manager, deal, message)
    const payload = { messageId: message.id, transactionId, buyerId, sellerId, senderId }
    await appendToOutbox(manager, newEvent(messagePosted, transactionId, payload, now))
    return viewOf(message, '')
  }

  async #requireMessage(transactionId: number, id: string): Promise<void> {
    const exists = await this.dataSource.getRepository(Message).existsBy({ id, transactionId })
    if (!exists) throw invalidFields({ before: 'Not a message of this chat' })
  }
}

/** The text is hashed with a secret: a plain hash of a short text tells the text to whoever tries all short ones. */
function keyOf({ transactionId, senderId, content, idempotencyKey }: Post, dataKey: DataKey): IdempotencyKey | null {
  if (idempotencyKey === null) return null
  const inputHash = hashInput([transactionId, dataKey.fingerprint(content)])
  return { userId: senderId, route: 'POST /api/transactions/{id}/messages', key: idempotencyKey, inputHash }
}
