import { Readers } from '@holdfast/mail/readers'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'

// Two addresses can be equal but for letters that count as the same in the index, and reach different mailboxes.
const CONFIRMED =
  'SELECT FROM users WHERE lower(email) = lower($1) AND email = $1 AND email_confirmed_at < $2 AND closed_at IS NULL'

/** The confirmed addresses of accounts, and those of our teams. */
@Injectable()
export class ConfirmedReaders extends Readers {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    super()
  }

  async isConfirmed(address: string, queuedAt: Date): Promise<boolean> {
    if ([this.config.SUPPORT_EMAIL, this.config.SALES_EMAIL].includes(address)) return true
    const found: unknown[] = await this.dataSource.query(CONFIRMED, [address, queuedAt])
    return found.length > 0
  }
}
