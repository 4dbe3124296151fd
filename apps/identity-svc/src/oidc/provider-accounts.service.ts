import { randomInt } from 'node:crypto'
import { Email } from '@holdfast/contracts/fields'
import { OwnNames } from '@holdfast/contracts/users'
import { DomainError } from '@holdfast/kernel/errors'
import { networkKey } from '@holdfast/service-kit/auth/address-key'
import { newToken } from '@holdfast/service-kit/auth/secret-token'
import { isUniqueViolation } from '@holdfast/service-kit/database/database-trouble'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { Browser } from '../credentials/browser.js'
import { EmailConfirmationService } from '../credentials/email-confirmation.service.js'
import { Passwords } from '../credentials/passwords.js'
import { type SecondStep, type SignedIn, SignInService } from '../credentials/sign-in.service.js'
import { SignInLimits } from '../credentials/sign-in-limits.js'
import { SignUpService } from '../credentials/sign-up.service.js'
import { isUsernameTaken } from '../credentials/taken.js'
import { User } from '../users/user.entity.js'
import { usersWith } from '../users/users-with.js'
import type { ProviderPerson } from './domain/provider-person.js'
import { LinkedMail } from './linked-mail.js'
import { usernameFrom } from './username.js'

/** A name for a person whose provider gives none that is allowed here. They can change it on their profile. */
const NAMELESS = { firstName: 'New', lastName: 'Member' }
/**
 * Two sign-ins of one new person at the same moment: the second finds the account that the first has opened. A username can be taken
 * after it was found to be free, too.
 */
const ATTEMPTS = 3
/** A random number after a taken username is hardly ever taken, too. */
const NUMBERS_TRIED = 3
const MAX_NUMBER = 1_000_000

/** Finds, links or opens the account of a person who has signed in at a provider. */
@Injectable()
export class ProviderAccountsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly signIns: SignInService,
    private readonly signUps: SignUpService,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly confirmations: EmailConfirmationService,
    private readonly linkedMail: LinkedMail,
  ) {}

  /**
   * Signs the person in. Their account is the one that they have signed in to with this account of the provider before; else the one
   * that has confirmed the address for which the provider is authoritative; else a new one. A second factor of the account is asked for
   * as after a password.
   *
   * @throws DomainError `SIGN_IN_EMAIL_UNVERIFIED`; `SIGN_IN_EMAIL_IN_USE` when an account has the address and has not confirmed it, or the
   * provider is not authoritative for it; `RATE_LIMITED`; `ACCOUNT_SUSPENDED`
   */
  async signIn(person: ProviderPerson, browser: Browser): Promise<SignedIn | SecondStep> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#signInOnce(person, browser)
      } catch (error) {
        if (attempt === ATTEMPTS || !isUniqueViolation(error)) throw error
      }
    }
  }

  async #signInOnce(person: ProviderPerson, browser: Browser): Promise<SignedIn | SecondStep> {
    const known = await this.dataSource.transaction(async dbTx => {
      const linked = await linkedUser(dbTx, person)
      if (linked) return this.signIns.welcome(dbTx, linked, browser)
      const user = await userOfAddress(dbTx, person)
      if (!user) return null
      if (await link(dbTx, user.id, person)) await this.linkedMail.queue(dbTx, user, person.provider)
      return this.signIns.welcome(dbTx, user, browser)
    })
    return known ?? this.#open(person, browser)
  }

  async #open(person: ProviderPerson, browser: Browser): Promise<SignedIn | SecondStep> {
    await this.limits.countSignUp(browser.clientIp)
    const email = verifiedAddressOf(person)
    const { isAuthoritative } = person
    const names = await this.#freeNames(person)
    // A random password, which is shown to no one. The user can set another one by "Forgot your password?".
    const passwordHash = await this.passwords.hash(newToken(), networkKey(browser.clientIp))
    const mailsLink = !isAuthoritative && (await this.confirmations.mayMail(email))
    const account = { ...names, email, isConfirmed: isAuthoritative, mailsLink }
    return this.dataSource.transaction(async dbTx => {
      const signedIn = await this.signUps.open(dbTx, account, passwordHash, browser)
      await link(dbTx, signedIn.user.id, person)
      return signedIn
    })
  }

  async #freeNames({ firstName, lastName }: ProviderPerson) {
    const username = await this.#freeUsername(usernameFrom(firstName, lastName))
    const given = OwnNames.safeParse({ firstName, lastName, username })
    return given.success ? given.data : { ...NAMELESS, username }
  }

  async #freeUsername(wanted: string): Promise<string> {
    let username = wanted
    for (let tried = 0; tried < NUMBERS_TRIED && (await isUsernameTaken(this.dataSource.manager, username)); tried++)
      username = `${wanted}${randomInt(MAX_NUMBER)}`
    return username
  }
}

/** The address that the provider has verified, as a user's address is kept. @throws DomainError `SIGN_IN_EMAIL_UNVERIFIED` */
function verifiedAddressOf({ verifiedEmail }: ProviderPerson): string {
  const address = Email.safeParse(verifiedEmail)
  if (!address.success) throw new DomainError('SIGN_IN_EMAIL_UNVERIFIED')
  return address.data
}

async function linkedUser(dbTx: EntityManager, person: ProviderPerson): Promise<User | null> {
  const userId = await linkedIdOf(dbTx, person)
  if (userId === null) return null
  const user = await dbTx.findOne(User, { where: { id: userId }, lock: { mode: 'pessimistic_read' } })
  // The row was read before the lock: the account may have been closed meanwhile.
  if (!user || user.closingId !== null) throw new DomainError('SIGN_IN_NOT_COMPLETED')
  // Or its owner has taken it over, which has removed the row.
  return (await linkedIdOf(dbTx, person)) === userId ? user : null
}

async function linkedIdOf(dbTx: EntityManager, { issuer, subject }: ProviderPerson): Promise<string | null> {
  const [row]: { userId: string }[] = await dbTx.query(
    'SELECT user_id AS "userId" FROM provider_account WHERE issuer = $1 AND subject = $2',
    [issuer, subject],
  )
  return row?.userId ?? null
}

/**
 * The account that has confirmed the verified address. One that has not confirmed it is refused: somebody else may have opened it with
 * this person's address, and knows its password. Every account is refused when the provider is not authoritative for the address: the
 * account may be that of the mailbox's present owner, and this person an earlier one.
 */
async function userOfAddress(dbTx: EntityManager, person: ProviderPerson): Promise<User | null> {
  const user = await usersWith(dbTx, 'email', verifiedAddressOf(person)).setLock('pessimistic_write').getOne()
  if (user && (!person.isAuthoritative || user.emailConfirmedAt === null || user.closingId !== null))
    throw new DomainError('SIGN_IN_EMAIL_IN_USE')
  return user
}

/** Links an account at a provider to a user. @returns whether it is linked only now */
async function link(dbTx: EntityManager, userId: string, { issuer, subject }: ProviderPerson): Promise<boolean> {
  const made: unknown[] = await dbTx.query(
    'INSERT INTO provider_account (issuer, subject, user_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1',
    [issuer, subject, userId],
  )
  return made.length > 0
}
