import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { StripeProvider } from './stripe.provider.js'

const DUE = `SELECT id, address_erasure_due_at AS "dueAt" FROM payment
  WHERE address_erasure_due_at <= now() + $1 * interval '1 millisecond' ORDER BY address_erasure_due_at LIMIT $2`
// When the provider cannot be reached, it is tried again in a minute.
const CLAIM = `UPDATE payment SET address_erasure_due_at = now() + interval '1 minute'
  WHERE id = $1 AND address_erasure_due_at <= now() RETURNING customer_id AS "customerId"`
const ERASED = 'UPDATE payment SET address_erasure_due_at = NULL WHERE id = $1'

/**
 * The payers of bank transfers at the provider. Each has the address of a buyer, by which the provider asks for the bank account when money
 * goes back. It is taken away when the buyer's account is closed; nothing is under way then.
 */
@Injectable()
export class PayersService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
  ) {}

  /** The payments whose payers are to lose their address within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    return this.dataSource.query(DUE, [aheadMs, limit])
  }

  /** Takes the address from the payers of a payment. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async eraseAddress(paymentId: string): Promise<void> {
    const [[claimed]]: [{ customerId: string | null }[]] = await this.dataSource.query(CLAIM, [paymentId])
    if (!claimed) return
    await this.provider.eraseAddresses(paymentId, claimed.customerId)
    await this.dataSource.query(ERASED, [paymentId])
  }
}
