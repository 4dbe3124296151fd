import { createHash } from 'node:crypto'
import { DEVICE_HEADER, SESSION_HEADER } from '@holdfast/contracts/session-cookie'
import type { CurrentUser } from '@holdfast/contracts/users'
import { Mailer } from '@holdfast/mail/mailer'
import { MailServer } from '@holdfast/sandbox/mail/mail-server'
import type { MailRecord } from '@holdfast/sandbox/mail/records'
import { eventually } from '@holdfast/testing/eventually'
import { ScratchService, type Started, startOnScratch } from '@holdfast/testing/scratch-service'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { timersGrants, timersPlan } from '@holdfast/timers/migrations'
import { jest } from '@jest/globals'
import { loadIdentityConfig } from '../src/config.js'
import { plan } from '../src/migrations/plan.js'
import { identityService } from '../src/service.js'

// Password hashes are slow on a busy machine.
jest.setTimeout(60_000)

let people = 0

const MAX_MAILS = 100

const SETTINGS = {
  PUBLIC_URL: 'http://localhost:3000',
  MAIL_FROM: 'Holdfast <hello@holdfast.example>',
  SUPPORT_EMAIL: 'support@holdfast.example',
  SALES_EMAIL: 'sales@holdfast.example',
}

interface SignedInBody {
  readonly user: CurrentUser
}

/** A started service, and the calls of the gateway. */
export class RunningIdentity extends ScratchService {
  static async start(): Promise<RunningIdentity> {
    const mails: MailRecord[] = []
    const mailServer = new MailServer(async mail => void mails.push(mail))
    const smtpPort = await mailServer.listen('127.0.0.1', 0)
    const service = (env: NodeJS.ProcessEnv) =>
      identityService(loadIdentityConfig({ ...env, ...SETTINGS, SMTP_URL: `smtp://127.0.0.1:${smtpPort}` }))
    const more = [{ ...timersPlan, grants: timersGrants([plan.role]) }]
    const callers = ['gateway', 'escrow-svc'] as const
    return new RunningIdentity(await startOnScratch({ plan, more, callers, service }), mailServer, mails)
  }

  private constructor(
    started: Started,
    private readonly mailServer: MailServer,
    readonly mails: MailRecord[],
  ) {
    super(started)
  }

  /** The mails to an address, once there are so many. Mails that wait are sent at once. */
  async mailsTo(address: string, count = 1): Promise<readonly MailRecord[]> {
    const found = () => this.mails.filter(({ recipients }) => recipients.includes(address))
    await eventually(async () => {
      await this.sweepMails()
      return found().length >= count
    })
    return found()
  }

  /** Sends the mails that are due. */
  async sweepMails(): Promise<void> {
    const mailer = this.running.app.get(Mailer)
    const due = await mailer.upcoming(0, MAX_MAILS)
    await Promise.all(due.map(({ id }) => mailer.fire(id)))
  }

  override async stop(): Promise<void> {
    await super.stop()
    await this.mailServer.close()
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
