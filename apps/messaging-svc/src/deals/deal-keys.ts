import type { DataKey } from '@holdfast/encryption/data-key'
import type { EncryptionConfig } from '@holdfast/encryption/encryption-config'
import { rewrapSome, type StoredKeys } from '@holdfast/encryption/rewrap'
import { assert } from '@holdfast/kernel/assert'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { Deal } from './deal.entity.js'

/** A deal with the key of its chat as the table has it. */
export type DealWithKey = Pick<Deal, 'transactionId' | 'keyId' | 'wrappedKey'>

const KEEP_KEY = `UPDATE deals SET key_id = $2, wrapped_key = $3 WHERE transaction_id = $1 AND key_id IS NULL`
const READ_KEY = `SELECT key_id AS "keyId", wrapped_key AS "wrappedKey" FROM deals WHERE transaction_id = $1`

/** The keys that encrypt chats: one for each deal, wrapped with a master key. */
@Injectable()
export class DealKeys {
  constructor(@Inject(CONFIG) private readonly config: EncryptionConfig) {}

  /**
   * The key of a deal that has one.
   *
   * @throws UnknownMasterKey when the configuration has lost the master key; CannotOpen when the stored key was changed
   */
  open({ transactionId, keyId, wrappedKey }: DealWithKey): DataKey {
    assert(keyId !== null && wrappedKey !== null, 'a deal with encrypted messages has a key')
    return this.config.ENCRYPTION_KEYS.unwrap({ keyId, wrapped: wrappedKey }, contextOf(transactionId))
  }

  /** The key of a deal. A deal without one gets it here; of several at the same time, the first is kept and used by all. */
  async openOrMake(database: Queryable, deal: DealWithKey): Promise<DataKey> {
    if (deal.keyId !== null) return this.open(deal)
    const { transactionId } = deal
    const { stored } = this.config.ENCRYPTION_KEYS.newDataKey(contextOf(transactionId))
    await database.query(KEEP_KEY, [transactionId, stored.keyId, stored.wrapped])
    const [row] = (await database.query(READ_KEY, [transactionId])) as Pick<DealWithKey, 'keyId' | 'wrappedKey'>[]
    assert(row !== undefined, 'the deal exists')
    return this.open({ transactionId, ...row })
  }

  /**
   * Wraps at most `limit` keys again, which are not wrapped with the current master key.
   *
   * @returns how many there were
   */
  rewrapSome(dbTx: Queryable, limit: number): Promise<number> {
    return rewrapSome(dbTx, this.config.ENCRYPTION_KEYS, STORED_KEYS, limit)
  }
}

const contextOf = (transactionId: number) => `deal:${transactionId}`

const STORED_KEYS: StoredKeys = {
  // Two conditions, because an index serves them and does not serve `<>`.
  find: `SELECT transaction_id AS id, key_id AS "keyId", wrapped_key AS wrapped FROM deals
    WHERE key_id IS NOT NULL AND (key_id < $1 OR key_id > $1) LIMIT $2 FOR UPDATE SKIP LOCKED`,
  replace: 'UPDATE deals SET key_id = $2, wrapped_key = $3 WHERE transaction_id = $1',
  contextOf: id => contextOf(Number(id)),
}
