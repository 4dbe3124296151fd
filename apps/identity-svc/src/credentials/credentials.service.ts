import { networkKey } from '@holdfast/service-kit/auth/address-key'
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import { KnownDevicesService } from '../devices/known-devices.service.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { User } from '../users/user.entity.js'
import { usersWith } from '../users/users-with.js'
import type { Browser } from './browser.js'
import { notYourPassword } from './own-password.js'
import { Passwords } from './passwords.js'
import { SignInLimits } from './sign-in-limits.js'

/** An e-mail and a password to check, and the browser that sent them. */
export interface Claim {
  readonly email: string
  readonly password: string
  readonly browser: Browser
}

/** Checks an e-mail address and a password. */
@Injectable()
export class CredentialsService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * The user. Null for an unknown e-mail, a wrong password, and an account that is being closed, so that a caller cannot find out which
   * e-mails exist.
   *
   * @throws DomainError `RATE_LIMITED` after too many failures, whether or not this password is right, or when too many from
   *   this network sign in at once; `UNAVAILABLE` when too many sign in at once
   */
  async check({ email, password, browser }: Claim): Promise<User | null> {
    const user = await this.#findWithPassword(email)
    const { clientIp, deviceToken } = browser
    const isKnownDevice = user !== null && (await this.devices.isKnown(user.id, deviceToken))
    const attempt = { email, clientIp, knownDevice: isKnownDevice ? deviceToken : null }
    await this.limits.count(attempt, async () => user !== null && this.sessions.knowsAddress(user.id, clientIp))
    const turn = isKnownDevice ? { knownUser: user.id } : { network: networkKey(clientIp) }
    const matches = await this.passwords.matches(password, user?.passwordHash ?? null, turn).catch(async error => {
      // The password was not checked, so the attempt does not count as failed.
      await this.limits.undecided(attempt)
      throw error
    })
    if (!matches) return null
    await this.limits.succeeded(attempt)
    return user
  }

  /**
   * Checks the password of a signed-in user. It counts as a sign-in, so that it cannot be guessed here.
   *
   * @param field that the refusal names
   * @throws DomainError `VALIDATION_FAILED`; `RATE_LIMITED` and `UNAVAILABLE` as `check`
   */
  async require({ id, email }: Pick<User, 'id' | 'email'>, field: string, claim: Omit<Claim, 'email'>): Promise<User> {
    const found = await this.check({ email, ...claim })
    if (found?.id !== id) throw notYourPassword(field)
    return found
  }

  #findWithPassword(email: string): Promise<User | null> {
    return usersWith(this.users.manager, 'email', email)
      .andWhere('user.closing_id IS NULL')
      .addSelect('user.passwordHash')
      .getOne()
  }
}
