import { userUpdated } from '@holdfast/contracts/events'
import type { Parsed } from '@holdfast/contracts/route'
import type { CurrentUser, userRoutes } from '@holdfast/contracts/users'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { onlyChanged } from '@holdfast/kernel/changes'
import { DomainError, invalidFields } from '@holdfast/kernel/errors'
import type { VerificationStatus } from '@holdfast/kernel/users'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { networkKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import { ProofOfPerson, refuseOld } from '../account/proof-of-person.js'
import type { Browser } from '../credentials/browser.js'
import { EmailChangeService } from '../credentials/email-change.service.js'
import { PasswordResetService } from '../credentials/password-reset.service.js'
import { Passwords } from '../credentials/passwords.js'
import { emailTaken, takenFieldOf } from '../credentials/taken.js'
import { SessionsService } from '../sessions/sessions.service.js'
import { User, viewOf } from '../users/user.entity.js'
import { usersWith } from '../users/users-with.js'

type Profile = Parsed<typeof userRoutes.changeProfile>['body']
type NewPassword = Parsed<typeof userRoutes.changePassword>['body']

/** Each change is an event, which every other service stores. */
export const PROFILE_CHANGES_PER_USER: AttemptLimit = { attempts: 60, seconds: 60 * 60 }
/** Each change reserves the old username for ever. A change of upper and lower case alone is not counted. */
export const USERNAME_CHANGES_PER_USER: AttemptLimit = {
  attempts: 5,
  seconds: 24 * 60 * 60,
  refusal: 'You have changed your username several times today. Please try again tomorrow.',
}
/** Each change is mailed. */
export const PASSWORD_CHANGES_PER_USER: AttemptLimit = { attempts: 10, seconds: 60 * 60 }
/** Why a user keeps their name. */
const NAME_STAYS: Partial<Record<VerificationStatus, string>> = {
  submitted: 'Your documents are being reviewed under this name. Please ask our support team to change it.',
  approved: 'Your identity is verified under this name. Please ask our support team to change it.',
}

/** Changes what users tell about themselves, and their password. */
@Injectable()
export class ProfileService {
  readonly #changes: Attempts
  readonly #renames: Attempts
  readonly #passwordChanges: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly proof: ProofOfPerson,
    private readonly emailChanges: EmailChangeService,
    private readonly passwords: Passwords,
    private readonly resets: PasswordResetService,
    private readonly sessions: SessionsService,
  ) {
    this.#changes = new Attempts(dataSource, 'profile-changes', PROFILE_CHANGES_PER_USER)
    this.#renames = new Attempts(dataSource, 'username-changes', USERNAME_CHANGES_PER_USER)
    this.#passwordChanges = new Attempts(dataSource, 'password-changes', PASSWORD_CHANGES_PER_USER)
  }

  /**
   * Changes the personal data of a user, those that `changed` names or all, and publishes it. Another e-mail address needs a proof of
   * the person, and becomes theirs when they have opened the link that is mailed to it: until then the answer has the old one.
   *
   * @throws DomainError as `ProofOfPerson.require`; `VALIDATION_FAILED` for another name of a user who is
   * verified or whose documents are reviewed; `USERNAME_TAKEN`, `EMAIL_TAKEN`, `RATE_LIMITED`
   */
  async change(actor: UserActor, profile: Profile, browser: Browser): Promise<CurrentUser> {
    const { id: userId } = actor
    await this.#changes.count(userId)
    const { email, currentPassword, changed, ...given } = profile
    const before = await this.#find(userId)
    const changesEmail = (changed?.includes('email') ?? true) && email.toLowerCase() !== before.email.toLowerCase()
    if (isRename(before, onlyChanged(given, changed))) await this.#renames.count(userId)
    const proof = changesEmail ? await this.proof.require(actor, currentPassword, browser) : null
    if (changesEmail) {
      await this.emailChanges.count(userId, email)
      if (await this.#isTaken(email)) throw emailTaken()
    }
    return this.dataSource
      .transaction(async dbTx => {
        const user = await lock(dbTx, userId)
        if (proof) await refuseOld(dbTx, user, actor, proof)
        const { firstName, lastName, username, phoneNumber } = user
        const facts = { firstName, lastName, username, phoneNumber, ...onlyChanged(given, changed) }
        refuseNewName(user, facts)
        await dbTx.update(User, userId, facts)
        const after = viewOf({ ...user, ...facts })
        await appendToOutbox(dbTx, newEvent(userUpdated, userId, { user: after }, await databaseTime(dbTx)))
        if (changesEmail) await this.emailChanges.queue(dbTx, user, email)
        return after
      })
      .catch((error: unknown) => {
        throw takenFieldOf(error) ?? error
      })
  }

  /**
   * Sets another password. Every other session ends, and a mail says that it was changed.
   *
   * @throws DomainError as `ProofOfPerson.require`; `VALIDATION_FAILED` for a new password that is easy to guess; `RATE_LIMITED`
   */
  async changePassword(
    actor: UserActor,
    { currentPassword, newPassword }: NewPassword,
    browser: Browser,
  ): Promise<void> {
    const user = await this.#find(actor.id)
    const proof = await this.proof.require(actor, currentPassword, browser)
    await this.#passwordChanges.count(user.id)
    const network = networkKey(browser.clientIp)
    const weakness = await this.passwords.weaknessOf(newPassword, user, network)
    if (weakness !== null) throw invalidFields({ newPassword: weakness })
    const passwordHash = await this.passwords.hash(newPassword, network)
    await this.dataSource.transaction(async dbTx => {
      const now = await lock(dbTx, actor.id)
      await refuseOld(dbTx, now, actor, proof)
      await this.resets.set(dbTx, now, passwordHash)
      await this.sessions.endOthersIn(dbTx, actor)
    })
  }

  #isTaken(email: string): Promise<boolean> {
    return usersWith(this.dataSource.manager, 'email', email).getExists()
  }

  async #find(userId: string): Promise<User> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: userId })
    if (!user) throw new DomainError('UNAUTHENTICATED')
    return user
  }
}

/** @throws DomainError `UNAUTHENTICATED` when the account is being closed: nothing of the person may be written any more */
async function lock(dbTx: EntityManager, userId: string): Promise<User> {
  const user = await dbTx.findOneOrFail(User, { where: { id: userId }, lock: { mode: 'pessimistic_write' } })
  if (user.closingId !== null) throw new DomainError('UNAUTHENTICATED')
  return user
}

const isRename = (before: User, { username }: { readonly username?: string }): boolean =>
  username !== undefined && username.toLowerCase() !== before.username.toLowerCase()

/** A verified user keeps the name that was verified, and during a review the one that the operator compares with the documents. */
function refuseNewName(user: User, { firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): void {
  const why = NAME_STAYS[user.verificationStatus]
  if (why === undefined) return
  const fields = {
    ...(firstName === user.firstName ? {} : { firstName: why }),
    ...(lastName === user.lastName ? {} : { lastName: why }),
  }
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}
