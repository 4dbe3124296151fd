import type { KeyRing } from './key-ring.js'

/** Anything that runs SQL, such as a dbTx. */
interface Queryable {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Where a service keeps wrapped data keys. */
export interface StoredKeys {
  /**
   * Selects `id`, `"keyId"` and `wrapped` of at most `$2` keys that another master key than `$1` has wrapped, `FOR UPDATE SKIP LOCKED`, so
   * that replicas share the work.
   */
  readonly find: string
  /** Stores the id `$2` of the master key and the wrapped key `$3` in the row of `$1`. */
  readonly replace: string
  /** What the key of a row may be used for, as in `KeyRing.newDataKey`. */
  contextOf(id: string): string
}

/**
 * Wraps at most `limit` stored keys again, those that are not wrapped with the current master key.
 *
 * @returns how many there were
 * @throws CannotOpen, UnknownMasterKey
 */
export async function rewrapSome(dbTx: Queryable, ring: KeyRing, keys: StoredKeys, limit: number): Promise<number> {
  const found = await dbTx.query(keys.find, [ring.current, limit])
  const rows = found as { id: string; keyId: string; wrapped: Buffer }[]
  for (const { id, ...stored } of rows) {
    const { keyId, wrapped } = ring.rewrap(stored, keys.contextOf(id))
    await dbTx.query(keys.replace, [id, keyId, wrapped])
  }
  return rows.length
}
