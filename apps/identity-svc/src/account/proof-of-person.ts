import { FRESH_SIGN_IN_MINUTES } from '@holdfast/kernel/account'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { CredentialsService } from '../credentials/credentials.service.js'
import { User } from '../users/user.entity.js'

const SIGNED_IN_AT_PROVIDER = `SELECT s.created_at AS "signedInAt" FROM sessions s
  WHERE s.id = $1 AND s.user_id = $2 AND EXISTS (SELECT FROM provider_account p WHERE p.user_id = s.user_id)`

/** Makes sure, before something that cannot be taken back, that the person at the browser is the user. */
@Injectable()
export class ProofOfPerson {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly credentials: CredentialsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks the password. A user of a sign-in provider may leave it out when their session is at most FRESH_SIGN_IN_MINUTES old: they have
   * no password here, or do not know it.
   *
   * @throws DomainError `VALIDATION_FAILED` naming `currentPassword`; `SIGN_IN_AGAIN`; `RATE_LIMITED`
   */
  async require({ id, sessionId }: UserActor, password: string | undefined, browser: Browser): Promise<void> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id })
    if (!user || user.closingId !== null) throw new DomainError('UNAUTHENTICATED')
    if (password) {
      const found = await this.credentials.check({ email: user.email, password, browser })
      if (found?.id !== id) throw invalidFields({ currentPassword: 'This is not your password' })
      return
    }
    const [row]: { signedInAt: Date }[] = await this.dataSource.query(SIGNED_IN_AT_PROVIDER, [sessionId, id])
    if (!row) throw invalidFields({ currentPassword: 'Enter your password' })
    const ageMs = this.clock.now().getTime() - row.signedInAt.getTime()
    if (ageMs > FRESH_SIGN_IN_MINUTES * 60_000) throw new DomainError('SIGN_IN_AGAIN')
  }
}
