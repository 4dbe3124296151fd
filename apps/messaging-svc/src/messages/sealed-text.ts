import type { DataKey } from '@holdfast/encryption/data-key'

/** A text that a person wrote, as the table has it. */
export interface StoredText {
  readonly id: string
  readonly transactionId: number
  /** The text of a message of the system, or of an earlier release; empty when it is encrypted. */
  readonly content: string
  readonly sealed: Buffer | null
}

/** The columns of a text that a person wrote. It can be opened only as the same message of the same deal. */
export const sealText = (
  key: DataKey,
  { id, transactionId }: Pick<StoredText, 'id' | 'transactionId'>,
  text: string,
) => ({
  content: '',
  sealed: key.seal(Buffer.from(text), contextOf(id, transactionId)),
})

/**
 * The text of a message.
 *
 * @param keyOf gives the key of its deal; asked only for an encrypted text
 * @throws CannotOpen when it was changed in the table
 */
export function textOf({ id, transactionId, content, sealed }: StoredText, keyOf: () => DataKey): string {
  return sealed ? keyOf().open(sealed, contextOf(id, transactionId)).toString() : content
}

const contextOf = (id: string, transactionId: number) => `message:${transactionId}:${id}`
