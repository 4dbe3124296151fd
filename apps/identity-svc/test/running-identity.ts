import type { CurrentUser } from '@holdfast/contracts/users'
import { EventsServer } from '@holdfast/events/server'
import { type RunningService, startService } from '@holdfast/service-kit/service'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { type SignedAnswer, SignedClient, testActorKeys } from '@holdfast/testing/signed-client'
import { jest } from '@jest/globals'
import { plan } from '../src/migrations/plan.js'

// A busy machine takes its time, over password hashes most of all.
jest.setTimeout(60_000)

const KEYS = testActorKeys('identity-svc', 'gateway', 'escrow-svc')
let people = 0

interface SignedInBody {
  readonly user: CurrentUser
}

/** The service itself, on a database of its own, and its calls as the gateway makes them. */
export class RunningIdentity {
  private constructor(
    readonly database: ScratchDatabase,
    readonly client: SignedClient,
    private readonly service: RunningService,
  ) {}

  static async start(publicUrl = 'http://localhost:3000'): Promise<RunningIdentity> {
    const database = await ScratchDatabase.make(plan)
    Object.assign(process.env, {
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      ACTOR_KEYS: KEYS,
      PUBLIC_URL: publicUrl,
    })
    const serverUrl = process.env.DATABASE_URL
    // The configuration is read when its module is: only now may the service's modules be loaded.
    process.env.DATABASE_URL = database.url(plan.role)
    const { AppModule } = await import('../src/app.module.js')
    const { config } = await import('../src/config.js')
    process.env.DATABASE_URL = serverUrl
    const service = await startService({
      name: 'identity-svc',
      module: AppModule,
      config,
      strategies: app => [app.get(EventsServer)],
    })
    return new RunningIdentity(database, new SignedClient(service.port, 'identity-svc', KEYS), service)
  }

  async stop(): Promise<void> {
    await this.service.close()
    await this.database.drop()
  }

  /** Signs somebody up, with whatever a registration needs. */
  signUp(registration: object = {}, clientIp = '192.0.2.1'): Promise<SignedAnswer<SignedInBody>> {
    return this.client.request('POST', '/api/auth/signup', { body: { ...somebody(), ...registration }, clientIp })
  }

  signIn(email: string, password: string, clientIp = '192.0.2.1'): Promise<SignedAnswer<SignedInBody>> {
    return this.client.request('POST', '/api/auth/signin', { body: { email, password }, clientIp })
  }
}

/** A registration that nobody else uses. */
export function somebody() {
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
