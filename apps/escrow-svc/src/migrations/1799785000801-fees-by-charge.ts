import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Moves each fee, in the days that were compared, from the day on which it was posted to the day of its charge. Without this, a fee that was
 * posted a day late would count in neither of two days of which only the later one is compared again.
 */
const FEES_TO_THEIR_CHARGES = `
  WITH days AS (SELECT array_agg(DISTINCT day ORDER BY day) AS starts, max(day) + interval '1 day' AS ends FROM escrow.provider_day),
  fee AS (
    SELECT e.at, p.currency, p.amount_minor AS amount FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
     WHERE e.kind = 'provider_fee' AND p.credit = 'provider_clearing'
    UNION ALL SELECT e.at, p.currency, -payment.provider_fee_minor
      FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
      LEFT JOIN escrow.transaction deal ON deal.id = e.transaction_id AND e.kind = 'charge'
      JOIN escrow.payment ON payment.id = CASE e.kind WHEN 'charge' THEN deal.settled_payment_id
        ELSE substr(p.credit, length('unapplied:') + 1)::uuid END
     WHERE e.kind IN ('charge', 'stray_payment') AND p.debit = 'provider_clearing' AND payment.provider_fee_minor IS NOT NULL
    UNION ALL SELECT paid_at, currency, -provider_fee_minor FROM escrow.subscription_invoice
     WHERE paid_at IS NOT NULL AND provider_fee_minor IS NOT NULL
  )
  UPDATE escrow.provider_day SET ledger_minor = ledger_minor + moved.amount FROM (
    SELECT starts[width_bucket(at, starts)] AS day, currency, sum(amount) AS amount FROM fee, days WHERE at >= starts[1] AND at < ends
     GROUP BY 1, 2) moved
  WHERE provider_day.day = moved.day AND provider_day.currency = moved.currency`

/** The provider's fee of a charge counts for the day of the charge when a day is compared with the provider. */
export class FeesByCharge1799785000801 implements MigrationInterface {
  readonly name = 'FeesByCharge1799785000801'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.journal_entry VALIDATE CONSTRAINT journal_entry_kind_check')
    await queryRunner.query(FEES_TO_THEIR_CHARGES)
  }

  async down(): Promise<void> {
    // The earlier release compares later days by its own rule. What it compared before stays.
  }
}
