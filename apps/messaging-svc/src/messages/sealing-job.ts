import { BatchedJob } from '@holdfast/service-kit/database/batched-job'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { DealKeys, type DealWithKey } from '../deals/deal-keys.js'
import { sealText } from './sealed-text.js'

const PERIOD_MS = 60_000

interface PlainRow extends Omit<DealWithKey, 'transactionId'> {
  readonly id: string
  readonly transactionId: string
  readonly content: string
}

const PLAIN = `
  SELECT m.id, m.transaction_id AS "transactionId", m.content, d.key_id AS "keyId", d.wrapped_key AS "wrappedKey"
  FROM messages m JOIN deals d USING (transaction_id)
  WHERE m.sender_id IS NOT NULL AND m.sealed IS NULL ORDER BY m.sequence LIMIT $1 FOR UPDATE OF m SKIP LOCKED`
const SEAL = 'UPDATE messages SET content = $2, sealed = $3 WHERE id = $1'
const REMOVE_WORDS = `
  WITH old AS (
    SELECT id, transaction_id FROM notifications WHERE type = 'message' AND NOT without_words LIMIT $1 FOR UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE notifications n SET message = d.title, without_words = true
    FROM old JOIN deals d USING (transaction_id) WHERE n.id = old.id RETURNING 1
  ) SELECT count(*)::int AS n FROM changed`

/**
 * Encrypts what earlier releases wrote as plain text, and wraps keys again after a rotation of master keys. It looks once a minute for
 * as long as the service runs, because replicas of the earlier release may still write. Each search is served by an index that is empty
 * when nothing is left to do.
 */
@Injectable()
export class SealingJob extends BatchedJob {
  constructor(
    dataSource: DataSource,
    private readonly keys: DealKeys,
  ) {
    super(dataSource, PERIOD_MS, 'messages of earlier releases could not be encrypted, or keys not be wrapped again')
  }

  /** Does all that is left to do. */
  async run(): Promise<void> {
    await this.all('messages were encrypted', (dbTx, limit) => this.#sealSome(dbTx, limit))
    await this.all('notifications lost the words of messages', (dbTx, limit) => this.#removeWords(dbTx, limit))
    await this.all('keys were wrapped with the current master key', (dbTx, limit) => this.keys.rewrapSome(dbTx, limit))
  }

  async #sealSome(dbTx: EntityManager, limit: number): Promise<number> {
    const rows: PlainRow[] = await dbTx.query(PLAIN, [limit])
    for (const { id, content, ...row } of rows) {
      const deal = { ...row, transactionId: Number(row.transactionId) }
      const { sealed, content: nothing } = sealText(
        await this.keys.openOrMake(dbTx, deal),
        { id, transactionId: deal.transactionId },
        content,
      )
      await dbTx.query(SEAL, [id, nothing, sealed])
    }
    return rows.length
  }

  async #removeWords(dbTx: EntityManager, limit: number): Promise<number> {
    const [row]: { n: number }[] = await dbTx.query(REMOVE_WORDS, [limit])
    return row?.n ?? 0
  }
}
