import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'
import { type Origin, SessionsService } from '../sessions/sessions.service.js'
import { type User } from '../users/user.entity.js'
import { authenticateByPassword } from './password.strategy.js'

/** A user who has just signed in, and the token of the new session. */
export interface SignedIn {
  readonly user: User
  readonly token: string
}

/** Signs users in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Opens a new session.
   *
   * @throws DomainError `INVALID_CREDENTIALS`, `RATE_LIMITED`, `UNAVAILABLE`
   */
  async signIn(credentials: { email: string; password: string }, origin: Origin): Promise<SignedIn> {
    const user = await authenticateByPassword({ body: credentials, clientIp: origin.clientIp })
    if (!user) throw new DomainError('INVALID_CREDENTIALS')
    const token = await this.dataSource.transaction(manager => this.sessions.open(manager, user.id, origin))
    return { user, token }
  }
}
