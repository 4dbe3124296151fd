import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Faults } from '../control/faults.js'
import { checkSignature, decrypt, MAX_PUSH_BYTES, PushRefusal } from './receive.js'
import type { PushBrowserRecord, PushMessageRecord } from './records.js'

type ById = { Params: { id: string }; Body: Buffer }

/** What the push service keeps. */
export interface PushStore {
  findBrowser(id: string): PushBrowserRecord | null
  /** The sender's message is taken when it resolves. */
  keep(message: PushMessageRecord): Promise<unknown>
}

export interface PushApiOptions {
  readonly store: PushStore
  readonly faults: Pick<Faults, 'take'>
  readonly now: () => number
}

/** A push service (RFC 8030) under `/push`. What arrives is decrypted as the browser would, so that people and tests can read it. */
export async function pushApi(app: FastifyInstance, { store, faults, now }: PushApiOptions): Promise<void> {
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: MAX_PUSH_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof PushRefusal ? error.status : 500
    return reply.code(status).send({ message: error instanceof Error ? error.message : String(error) })
  })
  app.post<ById>('/:id', async (request, reply) => {
    const fault = faults.take(request.method, request.url)
    if (fault && fault.delayMs > 0) await sleep(fault.delayMs)
    if (fault?.kind === 'rate_limit')
      return reply.code(429).header('retry-after', '1').send({ message: 'Too many messages.' })
    if (fault?.kind === 'error') return reply.code(500).send({ message: 'This error was set at the sandbox.' })
    if (fault?.kind === 'refuse') {
      reply.hijack()
      return request.raw.socket.destroy()
    }
    const browser = store.findBrowser(request.params.id)
    if (!browser) throw new PushRefusal(404, 'There is no such subscription.')
    if (browser.isGone) throw new PushRefusal(410, 'The subscription was removed.')
    const message = messageOf(request, browser, now())
    await store.keep(message)
    return reply.code(201).header('location', `/push/messages/${message.id}`).send()
  })
}

function messageOf(request: FastifyRequest<ById>, browser: PushBrowserRecord, nowMs: number): PushMessageRecord {
  const { headers, body } = request
  checkSignature(headers, browser, `http://${headers.host}`, nowMs)
  const ttlSeconds = Number(headers.ttl)
  if (headers.ttl === undefined || !Number.isInteger(ttlSeconds)) throw new PushRefusal(400, 'It names no TTL.')
  if (headers['content-encoding'] !== 'aes128gcm') throw new PushRefusal(400, 'It is not encrypted.')
  return { id: randomUUID(), browserId: browser.id, receivedAt: nowMs, ttlSeconds, text: decrypt(body, browser) }
}
