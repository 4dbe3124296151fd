import { pages } from '@holdfast/contracts/pages'
import { invalidFields } from '@holdfast/kernel/errors'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { recipientKey } from '@holdfast/mail/recipient-key'
import { say } from '@holdfast/mail/sentence'
import { addressKey, networkKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { KnownDevicesService } from '../devices/known-devices.service.js'
import { FactorsService } from '../second-factor/factors.service.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { User } from '../users/user.entity.js'
import { usersWith } from '../users/users-with.js'
import type { Browser } from './browser.js'
import { confirmAddress } from './email-confirmation.service.js'
import { MailedTokens } from './mailed-tokens.js'
import { Passwords } from './passwords.js'
import { SignInLimits } from './sign-in-limits.js'
import { takeOverUnproven } from './unproven-account.js'

const RESET = 'reset-password'
const CHANGED = 'password-changed'
const HOUR_SECONDS = 60 * 60
const REFUSAL =
  'Several links were asked for already. Please look into your mailbox, also at unwanted mail, or try again later.'
/** Links to one address, whether an account has it or not. */
export const RESETS_PER_ACCOUNT: AttemptLimit = { attempts: 5, seconds: HOUR_SECONDS, refusal: REFUSAL }
/** Links that are asked for from one address of the network. */
export const RESETS_PER_ADDRESS: AttemptLimit = { attempts: 50, seconds: HOUR_SECONDS }
/** New passwords that are sent from one address, so that hashing them does not keep the service busy. */
export const NEW_PASSWORDS_PER_ADDRESS: AttemptLimit = { attempts: 50, seconds: HOUR_SECONDS }

/** Lets people set a new password when they have forgotten theirs. */
@Injectable()
export class PasswordResetService implements OnModuleInit {
  readonly #perAccount: Attempts
  readonly #perAddress: Attempts
  readonly #newPasswords: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: MailedTokens,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly devices: KnownDevicesService,
    private readonly factors: FactorsService,
    private readonly limits: SignInLimits,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.#perAccount = new Attempts(dataSource, 'reset-account', RESETS_PER_ACCOUNT)
    this.#perAddress = new Attempts(dataSource, 'reset-address', RESETS_PER_ADDRESS)
    this.#newPasswords = new Attempts(dataSource, 'reset-password', NEW_PASSWORDS_PER_ADDRESS)
  }

  onModuleInit(): void {
    this.mailer.add(RESET, mail => this.#compose(mail))
    this.mailer.add(CHANGED, mail => this.#composeChanged(mail))
  }

  /**
   * Mails a link to set a new password. It does the same for every address, and only the mailer finds out whether an account has it:
   * so neither the answer nor its time says so.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  async request(email: string, clientIp: string | null): Promise<void> {
    await this.#perAddress.count(addressKey(clientIp))
    await this.#perAccount.count(recipientKey(email))
    await queueMail(this.dataSource.manager, { kind: RESET, recipient: email, data: {} })
  }

  /**
   * Sets the password of the token's user, ends all of their sessions, and mails them that it was changed. Whoever reads the
   * mails of an address has confirmed it by that. What was attached to the account before that is removed.
   *
   * Wrong guesses of the old password do not refuse the sign-in that follows: those that were counted are forgotten, and this browser becomes
   * a known one, so that guesses which go on elsewhere do not count for it. With a second factor the browser does not become known: a known
   * browser may guess codes more often, and the mailbox proves nothing about the second factor.
   *
   * @returns the token of the browser's cookie; null when it does not become known
   * @throws DomainError `GONE`; `VALIDATION_FAILED` for a password that is easy to guess; then the link can be used again; `RATE_LIMITED`
   */
  async reset(token: string, password: string, browser: Browser): Promise<string | null> {
    const { clientIp, deviceToken } = browser
    await this.#newPasswords.count(addressKey(clientIp))
    // The slow hash is made outside of the dbTx, and only for a token that is valid.
    const owner = await this.tokens.ownerOf(token, 'reset_password')
    const user = await this.dataSource.getRepository(User).findOneByOrFail({ id: owner.userId })
    const network = networkKey(clientIp)
    const weakness = await this.passwords.weaknessOf(password, user, network)
    if (weakness !== null) throw invalidFields({ password: weakness })
    const passwordHash = await this.passwords.hash(password, network)
    const known = await this.dataSource.transaction(async dbTx => {
      const { userId, email } = await this.tokens.take(dbTx, token, 'reset_password')
      await takeOverUnproven(dbTx, userId)
      await this.set(dbTx, { id: userId, email }, passwordHash)
      await confirmAddress(dbTx, userId, email)
      await this.sessions.endAll(dbTx, userId)
      const hasFactor = (await this.factors.methodsOf(userId, dbTx)).length > 0
      return hasFactor ? null : this.devices.remember(dbTx, userId, deviceToken)
    })
    // After the commit: a failure here must not take the new password back. Whoever waits a quarter of an hour can sign in, too.
    await this.limits.forgetFailures({ email: user.email, clientIp, knownDevice: deviceToken })
    return known
  }

  /**
   * Sets another password in a dbTx, and mails the user that it was changed. Links to set a new one end, and so do links to other
   * addresses, and to confirm a payout account: somebody who knew the old password may have asked for them.
   */
  async set(dbTx: EntityManager, { id, email }: Pick<User, 'id' | 'email'>, passwordHash: string): Promise<void> {
    await dbTx.update(User, id, { passwordHash, passwordVersion: () => 'password_version + 1' })
    await dbTx.query("DELETE FROM mailed_token WHERE user_id = $1 AND purpose <> 'confirm_email'", [id])
    await queueMail(dbTx, { kind: CHANGED, recipient: email, data: { userId: id } })
  }

  async #compose({ recipient }: QueuedMail): Promise<MailContent | null> {
    const user = await usersWith(this.dataSource.manager, 'email', recipient).getOne()
    if (!user) return null
    const token = await this.tokens.make(user, 'reset_password', user.email)
    if (!token) return null
    return {
      // Two addresses can be equal but for letters that count as the same here, and reach different mailboxes.
      to: user.email,
      subject: say`Set a new password`,
      firstName: user.firstName,
      paragraphs: [
        say`Somebody has asked to set a new password for your account. If it was you, use this link within a day.`,
        say`Until then your password stays as it is.`,
      ],
      action: { label: 'Set a new password', url: `${this.config.PUBLIC_URL}${pages.resetPassword.path}#${token}` },
      reason: say`If it was not you, do nothing: nobody can change your password without this mail.`,
    }
  }

  async #composeChanged({ data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: String(data.userId) })
    return (
      user && {
        subject: say`Your password was changed`,
        firstName: user.firstName,
        paragraphs: [
          say`The password of your account was changed. You were signed out everywhere else.`,
          say`If it was not you, make sure that nobody else reads your mails, and then set a new password here.`,
        ],
        action: { label: 'Set a new password', url: `${this.config.PUBLIC_URL}${pages.forgotPassword.path}` },
        reason: say`You get this mail because it is about the safety of your account.`,
      }
    )
  }
}
