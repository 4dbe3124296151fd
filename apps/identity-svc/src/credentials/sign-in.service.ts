import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { KnownDevicesService } from '../devices/known-devices.service.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { type User } from '../users/user.entity.js'
import type { Browser } from './browser.js'
import { authenticateByPassword } from './password.strategy.js'

/** A user who has just signed in, the token of the new session, and the token by which the browser is known. */
export interface SignedIn {
  readonly user: User
  readonly token: string
  readonly deviceToken: string
}

/** Signs users in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
  ) {}

  /**
   * Opens a new session, and makes the browser known.
   *
   * @throws DomainError `INVALID_CREDENTIALS`, `RATE_LIMITED`, `UNAVAILABLE`
   */
  async signIn(credentials: { email: string; password: string }, browser: Browser): Promise<SignedIn> {
    const user = await authenticateByPassword({ body: credentials, browser })
    if (!user) throw new DomainError('INVALID_CREDENTIALS')
    return this.dataSource.transaction(async manager => ({
      user,
      token: await this.sessions.open(manager, user.id, browser),
      deviceToken: await this.devices.remember(manager, user.id, browser.deviceToken),
    }))
  }
}
