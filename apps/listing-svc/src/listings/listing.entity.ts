import type { Category, Condition, ListingStatus, ReturnPolicy } from '@holdfast/kernel/listings'
import type { Currency } from '@holdfast/kernel/money'
import { integerId, minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm'
import type { ListingState } from './domain/listing.js'
import { invitedTo } from './listing-row.js'

@Entity('listing')
export class ListingEntity implements ListingState {
  @PrimaryColumn({
    type: 'bigint',
    generated: 'identity',
    generatedIdentity: 'ALWAYS',
    transformer: integerId,
  })
  id: number
  @Column('integer')
  version: number
  @Column('text')
  title: string
  @Column('text')
  description: string
  @Column('bigint', { name: 'price_minor', transformer: minorUnits })
  priceMinor: bigint
  @Column('text')
  currency: Currency
  @Column('text')
  category: Category
  @Column('text')
  condition: Condition
  @Column('text', { nullable: true })
  location: string | null
  @Column('text')
  status: ListingStatus
  @Column('boolean', { name: 'is_private' })
  isPrivate: boolean
  @Column('uuid', { name: 'seller_id' })
  sellerId: string
  @Column('uuid', { name: 'counterparty_id', nullable: true })
  counterpartyId: string | null
  @Column('uuid', { name: 'created_by' })
  createdBy: string
  @Column('smallint', { name: 'inspection_days' })
  inspectionDays: number
  @Column('text', { name: 'return_policy' })
  returnPolicy: ReturnPolicy
  @Column('text', { name: 'image_hashes', array: true })
  imageHashes: string[]
  @Column('boolean')
  withdrawn: boolean
  @Column('bigint', { name: 'transaction_id', nullable: true, transformer: integerId })
  transactionId: number | null
  @Column('bigint', { name: 'relisted_as', nullable: true, transformer: integerId })
  relistedAs: number | null
  @Column('bigint', { name: 'item_id', nullable: true, transformer: integerId })
  itemId: number | null
  @VirtualColumn({ type: 'uuid', query: listing => `SELECT ${invitedTo(listing)}` })
  invitedIds: string[] | null
  @VirtualColumn({
    type: 'boolean',
    query: listing =>
      `SELECT EXISTS (SELECT FROM legal_acceptance WHERE listing_id = ${listing}.id AND signed_as = 'seller')`,
  })
  signedBySeller: boolean
  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date
  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date
  /** Title and description, normalised by `searchText`; the search index is generated from it. */
  @Column('text', { name: 'search_text', select: false })
  searchText: string
}
