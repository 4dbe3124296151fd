import { messagePosted } from '@holdfast/contracts/events'
import type { Message as MessageView } from '@holdfast/contracts/messages'
import type { DataKey } from '@holdfast/encryption/data-key'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { MAX_MESSAGES_PER_PARTY } from '@holdfast/kernel/messages'
import { checkStarts } from '@holdfast/pictures/uploaded-pictures'
import { answerOnce, findAnswer, hashInput, type IdempotencyKey } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { BlocksService } from '../blocks/blocks.service.js'
import { Deal } from '../deals/deal.entity.js'
import { DealKeys, type DealWithKey } from '../deals/deal-keys.js'
import { DealsService, otherParty } from '../deals/deals.service.js'
import { NotificationsService } from '../notifications/notifications.service.js'
import { Message, viewOf } from './message.entity.js'
import { MessagePictures } from './message-pictures.js'
import { PostingLimit } from './posting-limit.js'
import { sealText, textOf } from './sealed-text.js'

/** A message to post. */
export interface Post {
  readonly transactionId: number
  readonly senderId: string
  readonly content: string
  /** Data URLs. */
  readonly images: readonly string[]
  readonly idempotencyKey: string | null
  /** Aborted when the sender's connection has closed: pictures that wait are then not decoded, and nothing is posted. */
  readonly left: AbortSignal
}

// The database compares the times, because a JavaScript date would lose the microseconds of the column.
const OLDER_THAN = `(message.createdAt, message.sequence) <
  (SELECT known.created_at, known.sequence FROM messages known WHERE known.id = :before)`

const WRITTEN = `
  SELECT count(*)::int AS count FROM (SELECT FROM messages WHERE transaction_id = $1 AND sender_id = $2 LIMIT ${MAX_MESSAGES_PER_PARTY}) own`
const UNAVAILABLE = 'You can no longer write to this person about this transaction.'
const FULL = `You have written ${MAX_MESSAGES_PER_PARTY} messages about this transaction. More are not possible.`

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
    private readonly pictures: MessagePictures,
    private readonly notifications: NotificationsService,
    private readonly blocks: BlocksService,
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
   * first answer, and its pictures are not decoded again.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `IDEMPOTENCY_KEY_REUSED`; `COUNTERPARTY_UNAVAILABLE` when the deal has ended and the
   * other party has blocked the sender; `RATE_LIMITED`, also after MAX_MESSAGES_PER_PARTY;
   * `IMAGE_INVALID` and `IMAGE_TOO_LARGE`, naming the field: `images.2`; `UNAVAILABLE`
   */
  async post(post: Post): Promise<MessageView> {
    const deal = await this.deals.getForParty(post.transactionId, post.senderId)
    checkStarts(post.images)
    const dataKey = await this.keys.openOrMake(this.dataSource, deal)
    const key = keyOf(post, dataKey)
    const answer =
      (key && (await findAnswer<MessageView>(this.dataSource, key))) ?? (await this.#post(post, deal, dataKey, key))
    // The answer is stored with its key, and so it is stored without the text. A repeated request has sent the same text.
    return { ...answer, content: post.content }
  }

  async #post(post: Post, deal: Deal, dataKey: DataKey, key: IdempotencyKey | null): Promise<MessageView> {
    const { transactionId, senderId, images, left } = post
    await this.#refuseBlocked(deal, senderId)
    const [written]: { count: number }[] = await this.dataSource.query(WRITTEN, [transactionId, senderId])
    if (written!.count >= MAX_MESSAGES_PER_PARTY) throw new DomainError('RATE_LIMITED', undefined, FULL)
    await this.limit.count(senderId)
    const jpegs = images.length > 0 ? await this.pictures.decode(images, { userId: senderId, left }) : []
    // Decoding takes time. The message is as old as its posting, because a message must not appear before those that were read.
    const now = this.clock.now()
    const id = newId(now.getTime())
    if (jpegs.length > 0) await this.pictures.store(jpegs, transactionId, id, dataKey)
    const insert = (dbTx: EntityManager) => this.#insert(dbTx, deal, dataKey, { ...post, id, now })
    const answer = await (key ? answerOnce(this.dataSource, key, now, insert) : this.dataSource.transaction(insert))
    // Another request with the same key was first, and is counted.
    if (answer.id !== id) await this.limit.takeBack(senderId)
    return answer
  }

  /** Parties of a deal that runs must be able to talk. */
  async #refuseBlocked(deal: Deal, senderId: string): Promise<void> {
    if (deal.ended && (await this.blocks.isBlocked(this.dataSource, otherParty(deal, senderId), senderId)))
      throw new DomainError('COUNTERPARTY_UNAVAILABLE', undefined, UNAVAILABLE)
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
    { id, senderId, content, images, now }: Post & { readonly id: string; readonly now: Date },
  ): Promise<MessageView> {
    const { transactionId, buyerId, sellerId } = deal
    const message = { id, transactionId, senderId, images: images.length, createdAt: now }
    await manager.insert(Message, { ...message, ...sealText(dataKey, message, content) })
    if (images.length > 0) await this.pictures.post(manager, id, images.length)
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
function keyOf(post: Post, dataKey: DataKey): IdempotencyKey | null {
  const { transactionId, senderId, content, images, idempotencyKey } = post
  if (idempotencyKey === null) return null
  // Without pictures it is the hash of the release before, which may have answered the first request.
  const inputHash = hashInput([transactionId, ...[content, ...images].map(text => dataKey.fingerprint(text))])
  return { userId: senderId, route: 'POST /api/transactions/{id}/messages', key: idempotencyKey, inputHash }
}
