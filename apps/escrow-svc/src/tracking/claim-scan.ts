import { UNIQUE_VIOLATION } from '@holdfast/service-kit/database/database-trouble'
import { type DataSource, QueryFailedError } from 'typeorm'
import type { ParcelEntity } from './parcel.entity.js'

/** $1 transaction, $2 its number, $3 the scan. */
const CLAIM_SCAN = `UPDATE parcel own SET counted_scan = $3 FROM transaction deal
  WHERE own.transaction_id = $1 AND own.tracking_number = $2 AND deal.id = $1 AND deal.paid_at <= $3 AND NOT EXISTS (
    SELECT FROM parcel other JOIN transaction t ON t.id = other.transaction_id
    WHERE other.tracking_key = own.tracking_key AND other.transaction_id <> own.transaction_id
      AND (other.counted_scan >= deal.paid_at OR (t.status <> 'cancelled'
        AND (t.status <> 'completed' OR t.updated_at >= deal.paid_at)
        AND (other.saved_at, other.transaction_id) < (own.saved_at, own.transaction_id))))
  RETURNING own.transaction_id`

/**
 * Takes a delivery scan for a parcel's deal, or answers false: when it is from before the payment, when the number is
 * another deal's that had it first and has lived since this one was paid, or when it has delivered another since then. Of
 * two that ask at once a unique index refuses one.
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
    if (error instanceof QueryFailedError && error.driverError.code === UNIQUE_VIOLATION) return false
    throw error
  }
}
