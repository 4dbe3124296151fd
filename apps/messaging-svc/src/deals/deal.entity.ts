import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/** The parts of a deal that the chat needs. */
@Entity({ name: 'deals' })
export class Deal {
  @PrimaryColumn('bigint', { name: 'transaction_id', transformer: integerId })
  transactionId: number

  @Column('uuid', { name: 'buyer_id' })
  buyerId: string

  @Column('uuid', { name: 'seller_id' })
  sellerId: string

  @Column('text')
  title: string

  /** Whether it was cancelled before it was paid. Its parties no longer see it then. */
  @Column('boolean')
  hidden: boolean

  /** Whether it is completed or cancelled. A deal that has ended never runs again. */
  @Column('boolean')
  ended: boolean

  /** The key of its chat as it is stored (`WrappedKey`); null until a person writes. */
  @Column('text', { name: 'key_id', nullable: true })
  keyId: string | null

  @Column('bytea', { name: 'wrapped_key', nullable: true })
  wrappedKey: Buffer | null
}
