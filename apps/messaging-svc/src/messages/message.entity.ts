import type { Message as MessageView } from '@holdfast/contracts/messages'
import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

@Entity({ name: 'messages' })
export class Message {
  @PrimaryColumn('uuid')
  id: string

  @Column('bigint', { name: 'transaction_id', transformer: integerId })
  transactionId: number

  /** Null for a message of the system. */
  @Column('uuid', { name: 'sender_id', nullable: true })
  senderId: string | null

  /** Empty when the text is encrypted. Messages of the system are not. */
  @Column('text')
  content: string

  @Column('bytea', { nullable: true })
  sealed: Buffer | null

  /** How many pictures it has. */
  @Column('smallint')
  images: number

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date

  @Column({ type: 'bigint', insert: false, update: false, select: false })
  sequence?: string
}

/** A message in the form of the routes’ answers, with its text. */
export function viewOf(
  { id, transactionId, senderId, images, createdAt }: Omit<Message, 'content' | 'sealed'>,
  content: string,
): MessageView {
  return {
    id,
    transactionId,
    senderId,
    content,
    images: Array.from({ length: images }, (_, index) => ({ url: urlOf(transactionId, id, index) })),
    isSystem: senderId === null,
    createdAt: createdAt.toISOString(),
  }
}

const urlOf = (transactionId: number, messageId: string, index: number): string =>
  `/api/transactions/${transactionId}/messages/${messageId}/images/${index}`
