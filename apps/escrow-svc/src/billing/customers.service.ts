import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { BillingProvider } from './billing.provider.js'

interface Row {
  readonly provider_customer_id: string | null
  readonly attempt: number
}

/**
 * The users as the provider knows them: with their saved cards and their subscriptions. Payments by bank transfer have payers of their
 * own (ADR 79).
 */
@Injectable()
export class CustomersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: BillingProvider,
  ) {}

  /** The provider's id of a user; null for a user whom it does not know. */
  async find(userId: string): Promise<string | null> {
    return (await this.row(userId))?.provider_customer_id ?? null
  }

  /** The same, and makes the user known first. Requests at the same time make one: they share a key. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async getOrOpen(userId: string): Promise<string> {
    const known = await this.find(userId)
    if (known) return known
    await this.dataSource.query(
      'INSERT INTO customer (user_id, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
      [userId],
    )
    const { attempt } = (await this.row(userId)) as Row
    try {
      const made = await this.provider.openCustomer(userId, attempt)
      await this.dataSource.query(
        'UPDATE customer SET provider_customer_id = $2 WHERE user_id = $1 AND provider_customer_id IS NULL',
        [userId, made],
      )
    } catch (error) {
      if (!(error instanceof AttemptFailed)) throw error
      await this.dataSource.query('UPDATE customer SET attempt = attempt + 1 WHERE user_id = $1 AND attempt = $2', [
        userId,
        attempt,
      ])
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
    return (await this.find(userId)) as string
  }

  private async row(userId: string): Promise<Row | undefined> {
    const [row]: Row[] = await this.dataSource.query(
      'SELECT provider_customer_id, attempt FROM customer WHERE user_id = $1',
      [userId],
    )
    return row
  }
}
