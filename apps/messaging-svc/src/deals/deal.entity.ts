import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/** What the chat needs to know of a deal. */
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

  /** Whether it was cancelled before anything was paid: then its parties do not see it any more. */
  @Column('boolean')
  hidden: boolean
}
