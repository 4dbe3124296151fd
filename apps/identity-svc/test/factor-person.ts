import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEVICE_HEADER, SESSION_HEADER, SIGN_IN_STEP_HEADER } from '@holdfast/contracts/session-cookie'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { Secret, TOTP } from 'otpauth'
import { aRegistration, type RunningIdentity } from './running-identity.js'
import { SoftAuthenticator } from './soft-authenticator.js'

const STEP_MS = 30_000
/** What a test takes at most from the set-up of an app on. */
const TEST_MS = 8_000

/** The cookies that answers have set, as a browser keeps them and the gateway passes them on. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  keep(answer: SignedAnswer): void {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^(\w+)=([^;]*);/.exec(line)!
      this.#cookies.set(name!, value!)
    }
  }

  get(name: string): string {
    return this.#cookies.get(`holdfast_${name}`) ?? ''
  }

  get headers(): Record<string, string> {
    const [session, device, step] = [this.get('session'), this.get('device'), this.get('step')]
    return {
      ...(session && { [SESSION_HEADER]: createHash('sha256').update(session).digest('hex') }),
      ...(device && { [DEVICE_HEADER]: device }),
      ...(step && { [SIGN_IN_STEP_HEADER]: step }),
    }
  }
}

/** A person at a browser, who can have an authenticator app and passkeys. */
export class FactorPerson {
  readonly registration = aRegistration()
  jar = new CookieJar()
  /** What the app shows. */
  secret = ''
  clientIp = '192.0.2.1'

  private constructor(private readonly identity: RunningIdentity) {}

  static async signUp(identity: RunningIdentity): Promise<FactorPerson> {
    const person = new FactorPerson(identity)
    person.jar.keep(await identity.signUp(person.registration, person.clientIp))
    return person
  }

  /** The person's session as the gateway finds it; null when it has ended. */
  async findActor(): Promise<UserActor | null> {
    const body = { hashes: [createHash('sha256').update(this.jar.get('session')).digest('hex')] }
    type Rows = [string, string, string, 'user' | 'admin', 'standard', boolean][]
    const [row] = (await this.identity.client.request<Rows>('POST', '/internal/sessions/verify', { body })).body
    if (!row) return null
    const [, sessionId, id, role, plan, needsSecondFactor] = row
    return { kind: 'user', id, role, plan, sessionId, ...(needsSecondFactor && { needsSecondFactor }) }
  }

  /** Calls as the gateway does, and keeps the cookies of the answer. */
  async call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<SignedAnswer<T>> {
    const answer = await this.identity.client.request<T>(method, `/api/auth/${path}`, {
      actor: this.jar.get('session') === '' ? null : await this.findActor(),
      clientIp: this.clientIp,
      headers: this.jar.headers,
      ...(body === undefined ? {} : { body }),
    })
    this.jar.keep(answer)
    return answer
  }

  signIn(password = this.registration.password) {
    return this.call('POST', 'signin', { email: this.registration.email, password })
  }

  /** Another browser of the person, or of somebody who knows the password. */
  leaveBrowser(clientIp = this.clientIp): void {
    this.jar = new CookieJar()
    this.clientIp = clientIp
  }

  /** The code that the app shows in the step that is so many steps from now. */
  codeAt(step: number): string {
    return new TOTP({ secret: Secret.fromBase32(this.secret) }).generate({ timestamp: Date.now() + step * STEP_MS })
  }

  /** Adds an app with the code of the step before, so that `codeAt(0)` is the next one. @returns the recovery codes */
  async addApp(): Promise<string[]> {
    // A test that goes over the end of a step would show codes that are too old.
    const leftMs = STEP_MS - (Date.now() % STEP_MS)
    if (leftMs < TEST_MS) await sleep(leftMs)
    this.secret = (await this.call<{ secret: string }>('POST', 'second-factor/authenticator')).body.secret
    const added = await this.call<{ recoveryCodes: string[] }>('POST', 'second-factor/authenticator/confirm', {
      code: this.codeAt(-1),
    })
    if (added.status !== 200) throw new Error(JSON.stringify(added.body))
    return added.body.recoveryCodes
  }

  async addPasskey(name = 'My phone', passkey = new SoftAuthenticator()): Promise<SoftAuthenticator> {
    const made = passkey.make(await this.optionsOf('passkeys/start'))
    const added = await this.call('POST', 'passkeys', { name, passkey: made })
    if (added.status !== 201) throw new Error(JSON.stringify(added.body))
    return passkey
  }

  async optionsOf(path: string): Promise<unknown> {
    const { status, body } = await this.call<{ options: unknown }>('POST', path)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.options
  }
}
