import { createHash } from 'node:crypto'
import { DEVICE_HEADER, SESSION_HEADER } from '@holdfast/contracts/session-cookie'
import type { CurrentUser } from '@holdfast/contracts/users'
import { ScratchService, startOnScratch } from '@holdfast/testing/scratch-service'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { jest } from '@jest/globals'
import { loadIdentityConfig } from '../src/config.js'
import { plan } from '../src/migrations/plan.js'
import { identityService } from '../src/service.js'

// Password hashes are slow on a busy machine.
jest.setTimeout(60_000)

let people = 0

interface SignedInBody {
  readonly user: CurrentUser
}

/** A started service, and the calls of the gateway. */
export class RunningIdentity extends ScratchService {
  static async start(): Promise<RunningIdentity> {
    const service = (env: NodeJS.ProcessEnv) =>
      identityService(loadIdentityConfig({ ...env, PUBLIC_URL: 'http://localhost:3000' }))
    return new RunningIdentity(await startOnScratch({ plan, callers: ['gateway', 'escrow-svc'], service }))
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
