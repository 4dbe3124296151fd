import { userRegistered } from '@holdfast/contracts/events'
import type { Parsed } from '@holdfast/contracts/route'
import type { userRoutes } from '@holdfast/contracts/users'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { invalidFields } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { networkKey } from '@holdfast/service-kit/auth/address-key'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Injectable } from '@nestjs/common'
import { DataSource, type EntityManager } from 'typeorm'
import { KnownDevicesService } from '../devices/known-devices.service.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { User, viewOf } from '../users/user.entity.js'
import { usersWith } from '../users/users-with.js'
import type { Browser } from './browser.js'
import { EmailConfirmationService } from './email-confirmation.service.js'
import { Passwords } from './passwords.js'
import type { SignedIn } from './sign-in.service.js'
import { SignInLimits } from './sign-in-limits.js'
import { emailTaken, isUsernameTaken, takenFieldOf, usernameTaken } from './taken.js'

type Registration = Parsed<typeof userRoutes.signUp>['body']
/** An account to open. */
type NewAccount = Omit<Registration, 'password'> & {
  /** It is known already that the user reads the mails of the address. */
  readonly isConfirmed: boolean
  /** A link to confirm the address is mailed. */
  readonly mailsLink: boolean
}

/** Opens accounts. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly confirmations: EmailConfirmationService,
  ) {}

  /**
   * Opens an account and its first session, publishes `userRegistered`, and mails a link to confirm the address. No link is mailed to a
   * mailbox that got many: its user asks for one on the profile.
   *
   * @throws DomainError `USERNAME_TAKEN` (case is ignored; also for one that looks like it); `VALIDATION_FAILED` for a password that is
   * easy to guess; `EMAIL_TAKEN`, `RATE_LIMITED`, `UNAVAILABLE`
   */
  async signUp(registration: Registration, browser: Browser): Promise<SignedIn> {
    await this.limits.countSignUp(browser.clientIp)
    const network = networkKey(browser.clientIp)
    await this.#refuse(registration, network)
    const passwordHash = await this.passwords.hash(registration.password, network)
    const mailsLink = await this.confirmations.mayMail(registration.email)
    const account = { ...registration, isConfirmed: false, mailsLink }
    return this.dataSource
      .transaction(manager => this.open(manager, account, passwordHash, browser))
      .catch((error: unknown) => {
        // When two sign-ups use the same e-mail or username at once, the unique index refuses the later one.
        throw takenFieldOf(error) ?? error
      })
  }

  /**
   * Refuses what is taken and a weak password, before the expensive hash. A username is public and cheap to look up, so it comes before the
   * judgement of the password. Whether an address has an account is said last: for most addresses that have none, a stranger who asks
   * then opens an account, and a mail goes to its owner.
   */
  async #refuse(registration: Registration, network: string): Promise<void> {
    const { manager } = this.dataSource
    if (await isUsernameTaken(manager, registration.username)) throw usernameTaken()
    const weakness = await this.passwords.weaknessOf(registration.password, registration, network)
    if (weakness !== null) throw invalidFields({ password: weakness })
    if (await usersWith(manager, 'email', registration.email).getExists()) throw emailTaken()
  }

  /**
   * Opens an account and its first session in a dbTx, and publishes it.
   *
   * @throws QueryFailedError when the address or username is taken
   */
  async open(
    manager: EntityManager,
    { email, username, firstName, lastName, isConfirmed, mailsLink }: NewAccount,
    passwordHash: string,
    browser: Browser,
  ): Promise<SignedIn> {
    // Other services keep the latest event of a user. Those that follow have the database's time.
    const now = await databaseTime(manager)
    const id = newId(now.getTime())
    const emailConfirmedAt = isConfirmed ? now : null
    await manager.insert(User, {
      id,
      email,
      emailConfirmedAt,
      username,
      firstName,
      lastName,
      passwordHash,
      createdAt: now,
    })
    const user = await manager.findOneByOrFail(User, { id })
    if (mailsLink) await this.confirmations.queue(manager, user)
    await appendToOutbox(manager, newEvent(userRegistered, id, { user: viewOf(user) }, now))
    return {
      user,
      token: await this.sessions.open(manager, id, browser),
      deviceToken: await this.devices.remember(manager, id, null),
    }
  }
}
