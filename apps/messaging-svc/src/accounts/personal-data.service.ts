import type { PersonalDataPart } from '@holdfast/contracts/personal-data'
import type { DataKey } from '@holdfast/encryption/data-key'
import {
  type PartPage,
  type PartStatement,
  type PersonalDataPage,
  readPage,
  readPart,
} from '@holdfast/service-kit/personal-data/read-part'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { DealKeys } from '../deals/deal-keys.js'
import { textOf } from '../messages/sealed-text.js'

const PARTS: Readonly<Record<Exclude<PersonalDataPart<'messaging-svc'>, 'messages'>, PartStatement>> = {
  notifications: `
    SELECT sequence::text AS cursor, jsonb_build_object('id', id, 'type', type, 'title', title, 'message', message,
      'transactionId', transaction_id, 'disputeId', dispute_id, 'createdAt', created_at, 'readAt', read_at) AS item
    FROM notifications WHERE user_id = $1 AND ($2::bigint IS NULL OR sequence > $2) ORDER BY sequence LIMIT $3`,
  notificationSettings: `
    SELECT user_id::text AS cursor, settings || jsonb_build_object('changedAt', changed_at) AS item
    FROM notification_settings WHERE user_id = $1 AND ($2::uuid IS NULL OR user_id > $2) LIMIT $3`,
}

/** The user's own messages, in the order in which they wrote them. The bytes come as hexadecimal text in the JSON. */
const MESSAGES = `
  SELECT m.sequence::text AS cursor, jsonb_build_object('id', m.id, 'transactionId', m.transaction_id, 'createdAt', m.created_at,
    'content', m.content, 'sealed', encode(m.sealed, 'hex'), 'keyId', d.key_id, 'wrappedKey', encode(d.wrapped_key, 'hex')) AS item
  FROM messages m JOIN deals d USING (transaction_id)
  WHERE m.sender_id = $1 AND ($2::bigint IS NULL OR m.sequence > $2) ORDER BY m.sequence LIMIT $3`

interface SealedItem {
  readonly id: string
  readonly transactionId: number
  readonly createdAt: string
  readonly content: string
  readonly sealed: string | null
  readonly keyId: string | null
  readonly wrappedKey: string | null
}

/** What messaging-svc keeps about a user. */
@Injectable()
export class PersonalDataService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly keys: DealKeys,
  ) {}

  /** @throws DomainError `NOT_FOUND` for an unknown part; CannotOpen, UnknownMasterKey as `DealKeys.open` */
  async read(page: PartPage): Promise<PersonalDataPage> {
    if (page.part !== 'messages') return readPart(this.dataSource, PARTS, page)
    const { items, next } = await readPage<SealedItem>(this.dataSource, MESSAGES, page)
    const opened = new Map<number, DataKey>()
    return { items: items.map(item => this.#open(item, opened)), next }
  }

  /** @param opened the keys that were opened for this page: one for each deal */
  #open({ sealed, keyId, wrappedKey, ...item }: SealedItem, opened: Map<number, DataKey>): Record<string, unknown> {
    const { transactionId } = item
    const keyOf = (): DataKey => {
      const known = opened.get(transactionId)
      const stored = { transactionId, keyId, wrappedKey: wrappedKey === null ? null : Buffer.from(wrappedKey, 'hex') }
      const key = known ?? this.keys.open(stored)
      opened.set(transactionId, key)
      return key
    }
    const text = textOf({ ...item, sealed: sealed === null ? null : Buffer.from(sealed, 'hex') }, keyOf)
    return { ...item, content: text }
  }
}
