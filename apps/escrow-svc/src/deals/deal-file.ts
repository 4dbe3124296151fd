import type { TransactionFile } from '@holdfast/contracts/transactions'
import type { AcceptanceAct, PartyRole } from '@holdfast/kernel/deals'
import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import { LedgerService } from '../ledger/ledger.service.js'
import { DealQueries } from './deal-queries.js'
import { soldListing } from './deal-view.js'

interface TermsRow {
  terms_text: string
  terms_version: string
  terms_hash: string
}
interface AcceptanceRow {
  party: PartyRole
  by: AcceptanceAct
  terms_hash: string
  at: Date
}
interface ParcelRow {
  tracking_number: string
  carrier: string | null
  status: TrackingStatus | null
  status_description: string | null
  location: string | null
  last_update: Date | null
  delivered_at: Date | null
}

const TERMS = `SELECT terms_text, terms_version, encode(terms_hash, 'hex') AS terms_hash FROM transaction WHERE id = $1`
const ACCEPTANCES = `SELECT party, by, encode(terms_hash, 'hex') AS terms_hash, at FROM acceptance WHERE transaction_id = $1 ORDER BY at`
const PARCEL = `SELECT tracking_number, carrier, status, status_description, location, last_update, delivered_at
  FROM parcel WHERE transaction_id = $1`

/** Reads everything that escrow knows of a deal, for the mediator of its dispute. The caller checks who may see it. */
@Injectable()
export class DealFile {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly deals: DealQueries,
    private readonly ledger: LedgerService,
  ) {}

  /** @throws DomainError `TRANSACTION_NOT_FOUND` */
  async read(id: number): Promise<z.input<typeof TransactionFile>> {
    const { deal, timeline } = await this.deals.history(id)
    const [terms]: [TermsRow] = await this.dataSource.query(TERMS, [id])
    const acceptances: AcceptanceRow[] = await this.dataSource.query(ACCEPTANCES, [id])
    const [parcel]: ParcelRow[] = await this.dataSource.query(PARCEL, [id])
    return {
      id,
      buyerId: deal.buyerId,
      sellerId: deal.sellerId,
      status: deal.status,
      listing: soldListing(deal),
      termsText: terms.terms_text,
      termsVersion: terms.terms_version,
      termsHash: terms.terms_hash,
      acceptances: acceptances.map(({ party, by, terms_hash, at }) => ({
        party,
        by,
        termsHash: terms_hash,
        at: at.toISOString(),
      })),
      parcel: parcel ? parcelOf(parcel) : null,
      timeline,
      ledger: await this.ledger.ofDeal(id),
    }
  }
}

const parcelOf = (row: ParcelRow) => ({
  trackingNumber: row.tracking_number,
  carrier: row.carrier,
  status: row.status,
  statusDescription: row.status_description,
  location: row.location,
  lastUpdate: row.last_update?.toISOString() ?? null,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
})
