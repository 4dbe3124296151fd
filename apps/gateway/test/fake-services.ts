import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import { Readable } from 'node:stream'
import { type BatchedRequestHead, batchRoute, MAX_BATCHED_BODY_BYTES } from '@holdfast/contracts/batches'
import { urlVariableOf } from '@holdfast/contracts/topology'
import { encodeFrame, type Frame, FrameReader } from '@holdfast/http-client/batch-frames'
import { urlOf } from '@holdfast/http-client/call'
import { newId } from '@holdfast/kernel/ids'
import { ACTOR_HEADER, type Caller, signActor, type UserActor, verifyActor } from '@holdfast/service-kit/auth/actor'
import { type ActorKeys, parseActorKeys } from '@holdfast/service-kit/auth/actor-keys'
import { contentOf, hashOfBody, isSignedHead } from '@holdfast/service-kit/auth/signed-content'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { UPSTREAMS, type UpstreamName } from '../src/config.js'

/** One request that a service received. `caller` is null when it has no valid signature. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: FastifyRequest['headers']
  readonly body: Buffer
  readonly caller: Caller | null
}
type Answer = (received: Received, reply: FastifyReply) => unknown

/**
 * A free port that the system gives to nobody who asks for any: it takes those from 32768 on (Linux) or 49152 on. So no other test
 * listens there while a killed service is away.
 */
async function findPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 20_000)
    const probe = createServer()
    const isFree = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise(resolve => probe.close(resolve))
    return port
  }
}

/** Fakes of the five services: real HTTP and real verification of the signed actor, with answers set by the test. */
export class FakeServices {
  readonly received: Received[] = []
  readonly keysJson = JSON.stringify(
    Object.fromEntries(UPSTREAMS.map(name => [`gateway>${name}`, randomBytes(32).toString('base64url')])),
  )
  private readonly servers = new Map<UpstreamName, FastifyInstance>()
  private readonly answers = new Map<string, Answer>()
  private readonly sessions = new Map<string, UserActor>()
  /** The hashes that each call of verifySessions asked for. */
  readonly verifications: string[][] = []

  async start(): Promise<void> {
    for (const name of UPSTREAMS) await this.startOne(name, await findPort())
    this.clear()
  }

  /** Drops received requests and the answers that were set; sessions stay. */
  clear(): void {
    this.received.length = 0
    this.verifications.length = 0
    this.answers.clear()
    this.on('identity-svc', 'POST', '/internal/sessions/verify', ({ body }) => this.verify(body))
  }

  async stop(): Promise<void> {
    await Promise.all([...this.servers.values()].map(server => server.close()))
  }

  /** Sets what a service answers to a method and path (without the query). */
  on(service: UpstreamName, method: string, path: string, answer: Answer): void {
    this.answers.set(`${service} ${method} ${path}`, answer)
  }

  /** The answer that `on` set, for a test that replaces it and still needs it. */
  answerOf(service: UpstreamName, method: string, path: string): Answer {
    return this.answers.get(`${service} ${method} ${path}`)!
  }

  /** Ends one service and its connections, as a crash does. Returns a function that starts it again on the same port. */
  async kill(service: UpstreamName): Promise<() => Promise<void>> {
    const server = this.servers.get(service)!
    const { port } = server.server.address() as AddressInfo
    server.server.closeAllConnections()
    await server.close()
    return () => this.startOne(service, port)
  }

  /** Makes a session. Returns its user and the token that the cookie holds. */
  signIn(user: Partial<UserActor> = {}): { token: string; user: UserActor } {
    const token = randomBytes(32).toString('base64url')
    const full: UserActor = { kind: 'user', id: newId(), role: 'user', plan: 'standard', sessionId: newId(), ...user }
    this.sessions.set(hashOf(token), full)
    return { token, user: full }
  }

  revoke(token: string): void {
    this.sessions.delete(hashOf(token))
  }

  environment(): Record<string, string> {
    const origin = (name: UpstreamName) =>
      `http://127.0.0.1:${(this.servers.get(name)!.server.address() as AddressInfo).port}`
    return {
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      PUBLIC_URL: 'http://localhost:21700',
      ACTOR_KEYS: this.keysJson,
      ...Object.fromEntries(UPSTREAMS.map(name => [urlVariableOf(name), origin(name)])),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    }
  }

  private async startOne(service: UpstreamName, port: number): Promise<void> {
    const server = Fastify({ bodyLimit: 64 * 1024 * 1024, forceCloseConnections: true })
    server.removeAllContentTypeParsers()
    server.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    server.all('/*', (request, reply) => this.answer(service, request, reply))
    server.post(batchRoute.path, (request, reply) => this.answerBatch(service, request, reply))
    await server.listen({ port, host: '127.0.0.1' })
    this.servers.set(service, server)
  }

  /** Answers each request of a batch as if it had come alone. When a test cuts the connection of one, that of the batch is cut. */
  private answerBatch(service: UpstreamName, request: FastifyRequest, reply: FastifyReply): unknown {
    if (this.answers.has(`${service} POST ${batchRoute.path}`)) return this.answer(service, request, reply)
    const body = request.body as Buffer
    if (!this.callerOf(service, request)) return reply.code(403).send({})
    const answers = new Readable({ read: () => {} })
    const frames = new FrameReader<BatchedRequestHead>(MAX_BATCHED_BODY_BYTES).push(body)
    let open = frames.length
    const answerOne = async (index: number, frame: Frame<BatchedRequestHead>) => {
      const { statusCode, headers, rawPayload } = await this.servers.get(service)!.inject(this.alone(service, frame))
      for (const piece of encodeFrame({ index, status: statusCode, headers }, rawPayload)) answers.push(piece)
      if (--open === 0) answers.push(null)
    }
    for (const [index, frame] of frames.entries()) {
      answerOne(index, frame).catch(() => request.raw.socket.destroy())
    }
    return reply.send(answers)
  }

  /** One request of a batch as a request of its own, signed as such. */
  private alone(service: UpstreamName, { head, body }: Frame<BatchedRequestHead>) {
    const [method, path] = head.route.split(' ') as ['GET' | 'POST', string]
    const url = urlOf(path, head)
    const binding = { keys: this.keys, callee: service, method, path: url, now: new Date() }
    const caller: Caller = { caller: 'gateway', actor: head.actor as Caller['actor'], clientIp: head.clientIp }
    const signature = signActor(caller, contentOf(head.headers, body), binding)
    const headers = { ...head.headers, 'x-request-id': head.requestId, [ACTOR_HEADER]: signature }
    return { method, url, headers, ...(body.length > 0 && { payload: body }) }
  }

  private get keys(): ActorKeys {
    const keys = parseActorKeys(this.keysJson)
    if (typeof keys === 'string') throw new Error(keys)
    return keys
  }

  private callerOf(service: UpstreamName, { method, url, headers, body }: FastifyRequest): Caller | null {
    const signature = headers[ACTOR_HEADER]
    const binding = { keys: this.keys, callee: service, method, path: url, now: new Date() }
    const caller = verifyActor(typeof signature === 'string' ? signature : undefined, binding)
    const isSigned =
      caller?.content &&
      isSignedHead(caller.content, headers) &&
      caller.content.bodyHash === hashOfBody(Buffer.isBuffer(body) ? body : '')
    return isSigned ? { caller: caller.caller, actor: caller.actor, clientIp: caller.clientIp } : null
  }

  private async answer(service: UpstreamName, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { method, url, headers } = request
    const caller = this.callerOf(service, request)
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const received: Received = { method, url, headers, body, caller }
    const path = url.split('?', 1)[0]!
    // On a busy machine the gateway asks a service that is slow whether it still runs.
    if (!['/internal/sessions/verify', '/readyz', '/healthz'].includes(path)) this.received.push(received)
    const answer = this.answers.get(`${service} ${method} ${path}`)
    if (answer) return answer(received, reply)
    return { service, method, url }
  }

  private verify(body: Buffer): unknown {
    const { hashes } = JSON.parse(body.toString()) as { hashes: string[] }
    this.verifications.push(hashes)
    return hashes.flatMap(hash => {
      const user = this.sessions.get(hash)
      return user ? [[hash, user.sessionId, user.id, user.role, user.plan, user.needsSecondFactor ?? false]] : []
    })
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
