import type { PartyRole } from '@holdfast/kernel/deals'
import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/** The agreements that were signed with a listing, and with each change of its terms. Rows are added and never changed. */
@Entity('legal_acceptance')
export class LegalAcceptanceEntity {
  @PrimaryColumn('uuid')
  id: string
  @Column('bigint', { name: 'listing_id', transformer: integerId })
  listingId: number
  /** The version of the listing whose terms were signed. The signature of the highest version holds. */
  @Column('integer', { name: 'listing_version' })
  listingVersion: number
  /** The hash of these terms (`hashTerms`). */
  @Column('bytea', { name: 'terms_hash' })
  termsHash: Buffer
  @Column('uuid', { name: 'signer_id' })
  signerId: string
  @Column('text', { name: 'signed_as' })
  signedAs: PartyRole
  /** The version of the wording that was shown. */
  @Column('text', { name: 'agreements_version' })
  agreementsVersion: string
  @Column('boolean', { name: 'terms_accepted' })
  termsAccepted: boolean
  @Column('boolean', { name: 'escrow_agreement' })
  escrowAgreement: boolean
  @Column('boolean', { name: 'harmless_clause' })
  harmlessClause: boolean
  @Column('text', { name: 'digital_signature' })
  digitalSignature: string
  /** The date that the signer entered. It may be wrong; `received_at` counts. */
  @Column('text', { name: 'signature_date' })
  signatureDate: string
  /** The server's time. */
  @Column('timestamptz', { name: 'received_at' })
  receivedAt: Date
  @Column('text', { name: 'client_ip', nullable: true })
  clientIp: string | null
  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null
}
