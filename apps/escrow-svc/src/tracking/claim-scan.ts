import { NUMBER_KEPT_DAYS } from '@holdfast/kernel/tracking'
import { isUniqueViolation } from '@holdfast/service-kit/database/database-trouble'
import type { DataSource } from 'typeorm'
import type { ParcelEntity } from './parcel.entity.js'

/** $1: the deal, $2: its tracking number, $3: the time of the scan. */
const CLAIM_SCAN = `UPDATE parcel own SET counted_scan = $3 FROM transaction deal
  WHERE own.transaction_id = $1 AND own.tracking_number = $2 AND deal.id = $1 AND deal.paid_at <= $3 AND NOT EXISTS (
    SELECT FROM parcel other JOIN transaction other_deal ON other_deal.id = other.transaction_id
    WHERE other.tracking_key = own.tracking_key AND other.transaction_id <> own.transaction_id
      AND (other.counted_scan >= deal.paid_at OR (other_deal.status <> 'cancelled'
        AND (other_deal.status <> 'completed' OR other_deal.updated_at >= deal.paid_at)
        AND (other.saved_at, other.transaction_id) < (own.saved_at, own.transaction_id))))
  RETURNING own.transaction_id`

/**
 * Counts a delivery scan for a parcel's deal. A scan counts for one deal only. When two deals claim it at the same time, a
 * unique index refuses one.
 *
 * @returns false when the scan does not count for this deal: it is older than the payment; or another deal saved the number
 * first and had not ended when this deal was paid; or another scan after the payment has counted for another deal
 */
export async function claimScan(
  dataSource: DataSource,
  { transactionId, trackingNumber }: ParcelEntity,
  scannedAt: Date,
): Promise<boolean> {
  try {
    const values = [transactionId, trackingNumber, scannedAt]
    const [claimed]: [unknown[], number] = await dataSource.query(CLAIM_SCAN, values)
    return claimed.length > 0
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

const IS_OF_DEAL = `SELECT FROM parcel WHERE tracking_key = upper(translate($1, ' -', ''))
  AND saved_at BETWEEN $2::timestamptz - $3 * interval '1 day' AND $2 AND (delivered_at IS NULL OR delivered_at >= $2) LIMIT 1`

/**
 * Whether a tracking number was that of a deal's parcel that was still on its way at a time. Its delivery is then that of the deal, also
 * when the deal has ended: otherwise a buyer could give the number of any parcel that they expect for an item that they do not send back.
 *
 * @param at ISO 8601
 */
export async function isNumberOfDeal(dataSource: DataSource, trackingNumber: string, at: string): Promise<boolean> {
  const found: object[] = await dataSource.query(IS_OF_DEAL, [trackingNumber, at, NUMBER_KEPT_DAYS])
  return found.length > 0
}
