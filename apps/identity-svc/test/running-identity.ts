import { createECDH, createHash, randomBytes } from 'node:crypto'
import { DEVICE_HEADER, SESSION_HEADER } from '@holdfast/contracts/session-cookie'
import type { CurrentUser } from '@holdfast/contracts/users'
import { Mailer } from '@holdfast/mail/mailer'
import { Mailbox } from '@holdfast/sandbox/mail/mailbox'
import type { MailRecord } from '@holdfast/sandbox/mail/records'
import { PushService } from '@holdfast/sandbox/push/push-service'
import { PhoneNetwork } from '@holdfast/sandbox/sms/phone-network'
import { ScratchService, type Started, startOnScratch } from '@holdfast/testing/scratch-service'
import { ScratchStorage } from '@holdfast/testing/scratch-storage'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { loadIdentityConfig } from '../src/config.js'
import { plan } from '../src/migrations/plan.js'
import { identityService } from '../src/service.js'

let people = 0

function aSigningKey(): string {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  return Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
}

const SETTINGS = {
  PUBLIC_URL: 'http://localhost:3000',
  SUPPORT_EMAIL: 'support@holdfast.example',
  SALES_EMAIL: 'sales@holdfast.example',
  VAPID_PRIVATE_KEY: aSigningKey(),
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64url')}`,
}

interface SignedInBody {
  readonly user: CurrentUser
}

/** A started service, and the calls of the gateway. */
export class RunningIdentity extends ScratchService {
  /** @param settings further variables of the environment */
  static async start(settings: Record<string, string> = {}): Promise<RunningIdentity> {
    const mailbox = await Mailbox.open()
    const storage = await ScratchStorage.make()
    const push = await PushService.open()
    const phones = await PhoneNetwork.open()
    const places = {
      ...mailbox.environment,
      ...phones.environment,
      PUSH_SERVICES: push.origin,
      ...storage.environment,
    }
    const service = (env: NodeJS.ProcessEnv) =>
      identityService(loadIdentityConfig({ ...env, ...SETTINGS, ...places, ...settings }))
    const more = [{ ...timersPlan, grants: timersGrants([plan.role]) }]
    const callers = ['gateway', 'escrow-svc'] as const
    return new RunningIdentity(await startOnScratch({ plan, more, callers, service }), mailbox, storage, push, phones)
  }

  private constructor(
    started: Started,
    private readonly mailbox: Mailbox,
    readonly storage: ScratchStorage,
    readonly push: PushService,
    readonly phones: PhoneNetwork,
  ) {
    super(started)
  }

  get mails(): readonly MailRecord[] {
    return this.mailbox.mails
  }

  /** The mails to an address, once there are so many. Mails that wait are sent at once. */
  mailsTo(address: string, count = 1): Promise<readonly MailRecord[]> {
    return this.mailbox.to(address, this.running.app.get(Mailer), count)
  }

  /** Sends the mails that are due. */
  sweepMails(): Promise<void> {
    return this.mailbox.sendDue(this.running.app.get(Mailer))
  }

  /** Marks the e-mail address of a user as confirmed, or as not confirmed. */
  async confirmAddress(userId: string, isConfirmed = true): Promise<void> {
    await this.database.admin.query(
      'UPDATE identity.users SET email_confirmed_at = CASE WHEN $2 THEN now() END WHERE id = $1',
      [userId, isConfirmed],
    )
  }

  /** Counts attempts as made. @param key the limit, and for whom it counts, such as `sign-up-address:192.0.2.1` */
  async countAs(key: string, attempts: number): Promise<void> {
    await this.database.admin.query(
      `INSERT INTO identity.attempts (key, points, expire) VALUES ($1, $2, (extract(epoch FROM now()) + 600) * 1000)
       ON CONFLICT (key) DO UPDATE SET points = excluded.points`,
      [key, attempts],
    )
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.mailbox.close()
    await this.push.close()
    await this.phones.close()
    await this.storage.remove()
  }

  /** Signs up a new user; `registration` replaces fields of a valid registration. */
  signUp(registration: object = {}, clientIp = '192.0.2.1'): Promise<SignedAnswer<SignedInBody>> {
    return this.client.request('POST', '/api/auth/signup', { body: { ...aRegistration(), ...registration }, clientIp })
  }

  /** @param cookies what the browser holds, as the gateway passes it on (`cookiesOf`) */
  signIn(
    email: string,
    password: string,
    clientIp = '192.0.2.1',
    cookies: Record<string, string> = {},
  ): Promise<SignedAnswer<SignedInBody>> {
    return this.client.request('POST', '/api/auth/signin', { body: { email, password }, clientIp, headers: cookies })
  }
}

/** A valid registration with a new e-mail and username. */
export function aRegistration() {
  const nth = ++people
  return {
    email: `person${nth}@example.com`,
    password: 'correct horse battery',
    firstName: 'Ana',
    lastName: 'Silva',
    username: `person${nth}`,
  }
}

/** The session token in an answer's Set-Cookie. */
export function tokenOf(answer: SignedAnswer): string {
  const token = /^holdfast_session=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
  if (!token) throw new Error('the answer set no session')
  return token
}

/** The headers in which the gateway passes on the cookies that an answer has set. */
export function cookiesOf(answer: SignedAnswer): Record<string, string> {
  const [, device] = answer.headers.getSetCookie()
  const session = createHash('sha256').update(tokenOf(answer)).digest('hex')
  return { [SESSION_HEADER]: session, [DEVICE_HEADER]: /^holdfast_device=([^;]+);/.exec(device ?? '')![1]! }
}
