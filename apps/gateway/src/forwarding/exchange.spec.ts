import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ReplicaRequestOptions } from '@holdfast/http-client/replica-connection'
import { fakeOnly } from '@holdfast/testing/fake-timers'
import type { FastifyReply } from 'fastify'
import type { Dispatcher } from 'undici'
import { CONNECTION_WAIT_MS, Upstream } from '../services/upstreams.js'
import { Exchange, MAX_STREAMING_MS } from './exchange.js'
import { UnreadAnswers } from './unread-answers.js'

describe('a request that waits for a connection because the replica that got it hangs', () => {
  const controller = { abort: jest.fn() } as unknown as Dispatcher.DispatchController
  let attempts: Dispatcher.DispatchHandler[]
  let takenBack: Dispatcher.DispatchHandler[]
  let sent: unknown[]
  let upstream: Upstream

  beforeEach(() => {
    attempts = []
    takenBack = []
    sent = []
    const hangs: (() => void)[] = []
    const pool = {
      dispatch: ({ onReplicaHangs }: ReplicaRequestOptions, attempt: Dispatcher.DispatchHandler) => {
        hangs.push(onReplicaHangs!)
        attempts.push(attempt)
      },
      takeBack: (attempt: Dispatcher.DispatchHandler) => takenBack.push(attempt),
    }
    upstream = Object.assign(new Upstream('listing-svc', 'http://127.0.0.1:1', new Map()), { pool })
    const reply = {
      raw: new EventEmitter(),
      code() {},
      header() {},
      removeHeader() {},
      send: (answer: unknown) => sent.push(answer),
    } as unknown as FastifyReply
    const request = { method: 'GET', path: '/', headers: {}, body: null, client: 'ana', isRepeatable: true } as const
    new Exchange(upstream, request, reply, new UnreadAnswers()).start()
    attempts[0]!.onRequestStart!(controller, null)
    hangs[0]!()
    expect(attempts).toHaveLength(2)
  })

  const waitTooLong = () => upstream.sweep(performance.now() + CONNECTION_WAIT_MS)
  const answerFirst = (...chunks: string[]) => {
    attempts[0]!.onResponseStart!(controller, 200, {}, 'OK')
    for (const chunk of chunks) attempts[0]!.onResponseData!(controller, Buffer.from(chunk))
  }

  it('is not refused when it waits too long: the first attempt still decides', () => {
    waitTooLong()
    expect([sent, takenBack]).toEqual([[], [attempts[1]]])
    answerFirst('late')
    attempts[0]!.onResponseEnd!(controller, {})
    expect([sent, upstream.underWay]).toEqual([[Buffer.from('late')], 0])
  })

  it('is refused when it has waited too long and the first attempt fails', () => {
    waitTooLong()
    attempts[0]!.onResponseError!(controller, Object.assign(new Error('slow'), { code: 'UND_ERR_HEADERS_TIMEOUT' }))
    expect([sent, upstream.underWay]).toEqual([[expect.objectContaining({ code: 'UNAVAILABLE' })], 0])
  })

  it('waits no longer when the answer of the first attempt begins, and its stream is not ended', async () => {
    const piece = 'x'.repeat(100_000)
    answerFirst(piece)
    expect(takenBack).toEqual([attempts[1]])
    waitTooLong()
    attempts[0]!.onResponseData!(controller, Buffer.from('end'))
    attempts[0]!.onResponseEnd!(controller, {})
    expect(sent).toEqual([expect.any(Readable)])
    expect(await text(sent[0] as Readable)).toBe(`${piece}end`)
  })

  it('is ended when its client takes too long to read the answer', () => {
    fakeOnly('setTimeout', 'clearTimeout')
    answerFirst('x'.repeat(100_000))
    const stream = (sent[0] as Readable).on('error', () => {})
    jest.advanceTimersByTime(MAX_STREAMING_MS - 1)
    expect([stream.destroyed, upstream.underWay]).toEqual([false, 1])
    jest.advanceTimersByTime(1)
    expect([stream.destroyed, upstream.underWay]).toEqual([true, 0])
    jest.useRealTimers()
  })

  it('is not sent again when a connection becomes free after that', () => {
    waitTooLong()
    const late = { abort: jest.fn() }
    attempts[1]!.onRequestStart!(late as unknown as Dispatcher.DispatchController, null)
    attempts[1]!.onResponseError!(late as unknown as Dispatcher.DispatchController, new Error('aborted'))
    expect([late.abort.mock.calls.length, sent]).toEqual([1, []])
  })
})
