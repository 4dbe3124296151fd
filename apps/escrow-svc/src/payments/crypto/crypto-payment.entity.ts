import type { CryptoAsset } from '@holdfast/kernel/crypto'
import { minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/** A transaction to the address of a payment, as the processor described it last. Amounts are units of the asset, as text. */
export interface Transfer {
  readonly transactionId: string
  readonly units: string
  readonly receivedAt: string
  readonly isConfirmed: boolean
  /** The part that the processor returns by itself; null when it returns nothing. */
  readonly goesBack: { readonly units: string; readonly isSent: boolean } | null
}

/** The columns that only a payment in cryptocurrency has. The others are in `payment`. */
@Entity({ name: 'crypto_payment' })
export class CryptoPaymentEntity {
  @PrimaryColumn({ name: 'payment_id', type: 'uuid' }) paymentId: string
  @Column({ type: 'text' }) asset: CryptoAsset
  /** What is to be sent, in the asset's smallest unit. */
  @Column({ name: 'asset_units', type: 'numeric', transformer: minorUnits }) assetUnits: bigint
  @Column({ name: 'deposit_address', type: 'text' }) depositAddress: string
  @Column({ name: 'payment_uri', type: 'text' }) paymentUri: string
  /** The buyer's own address, to which money goes back. */
  @Column({ name: 'wallet_address', type: 'text' }) walletAddress: string
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt: Date
  @Column({ type: 'jsonb' }) transfers: readonly Transfer[]
  @Column({ name: 'credited_minor', type: 'bigint', transformer: minorUnits, nullable: true }) creditedMinor:
    | bigint
    | null
  @Column({ name: 'ask_due_at', type: 'timestamptz', nullable: true }) askDueAt: Date | null
  /** Counts the questions to the processor. `recordedAsk` is the number of the question whose answer is recorded. */
  @Column({ type: 'int' }) asks: number
  @Column({ name: 'recorded_ask', type: 'int' }) recordedAsk: number
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}
