import { DomainError } from '@holdfast/kernel/errors'
import type { SecondFactorMethod } from '@holdfast/kernel/second-factors'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { KnownDevicesService } from '../devices/known-devices.service.js'
import { FactorsService } from '../second-factor/factors.service.js'
import { SignInSteps } from '../second-factor/sign-in-steps.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { User } from '../users/user.entity.js'
import type { Browser } from './browser.js'
import { authenticateByPassword } from './password.strategy.js'

/** A user who has just signed in, the token of the new session, and the token by which the browser is known. */
export interface SignedIn {
  readonly user: User
  readonly token: string
  readonly deviceToken: string
}

/** The first step of a sign-in is done, and the user has a second factor to show. No session is open. */
export interface SecondStep {
  readonly methods: readonly SecondFactorMethod[]
  /** For the browser's cookie. */
  readonly stepToken: string
}

/** Signs users in. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    private readonly factors: FactorsService,
    private readonly steps: SignInSteps,
  ) {}

  /**
   * Opens a new session, and makes the browser known; or begins the second step of a user who has a second factor.
   *
   * @param refusal what a user reads whose e-mail or password is wrong; the general words when left out
   * @throws DomainError `INVALID_CREDENTIALS`, `RATE_LIMITED`, `UNAVAILABLE`; `ACCOUNT_SUSPENDED`, only for the right password
   */
  async signIn(
    credentials: { email: string; password: string },
    browser: Browser,
    refusal?: string,
  ): Promise<SignedIn | SecondStep> {
    const wrong = () => new DomainError('INVALID_CREDENTIALS', undefined, refusal)
    const user = await authenticateByPassword({ body: credentials, browser })
    if (!user) throw wrong()
    const { id, passwordVersion } = user
    return this.dataSource.transaction(async manager => {
      // The password may have been changed since it was checked. That change waits for this lock, and ends the session then.
      const where = { id, passwordVersion }
      if (!(await manager.findOne(User, { where, lock: { mode: 'pessimistic_read' } }))) {
        // A suspension ends what the password has begun, as a change of it does. The password was right.
        await refuseSuspended(manager, id)
        throw wrong()
      }
      return this.welcome(manager, user, browser)
    })
  }

  /**
   * A user has shown by one factor who they are. Opens a session in a dbTx, or begins the second step when they have a second factor. The
   * user is locked, so that a first factor that is being added at the same moment is seen, or ends the session.
   */
  async welcome(dbTx: EntityManager, user: User, browser: Browser): Promise<SignedIn | SecondStep> {
    await dbTx.findOneOrFail(User, { where: { id: user.id }, lock: { mode: 'pessimistic_read' } })
    const methods = await this.factors.methodsOf(user.id, dbTx)
    if (methods.length > 0) return { methods, stepToken: await this.steps.begin(dbTx, user) }
    return this.open(dbTx, user, browser, false)
  }

  /**
   * Opens a session in a dbTx for a user who has shown all that they must, and makes the browser known.
   *
   * @throws DomainError `ACCOUNT_SUSPENDED`
   */
  async open(dbTx: EntityManager, user: User, browser: Browser, hasSecondFactor: boolean): Promise<SignedIn> {
    await refuseSuspended(dbTx, user.id)
    return {
      user,
      token: await this.sessions.open(dbTx, user.id, browser, hasSecondFactor),
      deviceToken: await this.devices.remember(dbTx, user.id, browser.deviceToken),
    }
  }
}

/** A suspension that begins at the same moment waits for this lock, and then ends the new session. */
async function refuseSuspended(dbTx: EntityManager, id: string): Promise<void> {
  const [user] = (await dbTx.query('SELECT suspended_at FROM users WHERE id = $1 FOR SHARE', [id])) as {
    suspended_at: Date | null
  }[]
  if (user?.suspended_at) throw new DomainError('ACCOUNT_SUSPENDED')
}
