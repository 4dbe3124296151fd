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

  signIn(email: string, password: string, clientIp = '192.0.2.1'): Promise<SignedAnswer<SignedInBody>> {
    return this.client.request('POST', '/api/auth/signin', { body: { email, password }, clientIp })
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
