import { setTimeout as sleep } from 'node:timers/promises'
import {
  type BatchedAnswerHead,
  type BatchedRequestHead,
  MAX_BATCH_BYTES,
  MAX_BATCHED_REQUESTS,
} from '@holdfast/contracts/batches'
import type { Dispatcher } from 'undici'
import { encodeFrame, FrameReader } from './batch-frames.js'
import type { PendingRequest } from './batch-handler.js'
import { MAX_UNANSWERED_BATCHES, RequestBatches } from './request-batches.js'

/** A request that notes how it ended. */
class Recorded implements PendingRequest {
  readonly head: BatchedRequestHead
  readonly body: Buffer | null
  readonly ends: unknown[] = []
  hasLeft = false

  constructor(n: number, headers: Record<string, string>) {
    const common = { params: {}, query: {}, headers, actor: null, clientIp: null }
    this.head = { requestId: `request-${n}`, route: 'POST /api/things', ...common }
    this.body = n % 2 === 0 ? Buffer.from(`body ${n}`) : null
  }
  begin = () => !this.hasLeft
  sendAlone = () => this.ends.push('alone')
  answer = ({ status }: BatchedAnswerHead, body: Buffer) => this.ends.push([status, body.toString()])
  fail = (error: Error, wasSent: boolean) => this.ends.push([error.message, wasSent ? 'sent' : 'never sent'])
}

/** A pool that keeps the batches it was given, for the test to answer. */
class FakePool {
  readonly batches: FakeBatch[] = []
  dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean => {
    this.batches.push(new FakeBatch(options, handler))
    return true
  }
}

class FakeBatch {
  readonly ids: string[]
  readonly bodies: string[]
  aborted: Error | null = null
  private readonly controller = {
    abort: (error: Error) => {
      this.aborted = error
    },
  } as Dispatcher.DispatchController

  constructor(
    readonly options: Dispatcher.DispatchOptions,
    private readonly handler: Dispatcher.DispatchHandler,
  ) {
    const frames = new FrameReader<BatchedRequestHead>(1_000).push(options.body as Buffer)
    this.ids = frames.map(({ head }) => head.requestId)
    this.bodies = frames.map(({ body }) => body.toString())
  }
  begin(): void {
    this.handler.onRequestStart?.(this.controller, {})
  }
  status(status: number): void {
    this.begin()
    this.handler.onResponseStart?.(this.controller, status, {}, '')
  }
  answer(index: number, text: string): void {
    for (const piece of encodeFrame({ index, status: 200, headers: {} }, Buffer.from(text))) {
      this.handler.onResponseData?.(this.controller, piece)
    }
  }
  end(): void {
    this.handler.onResponseEnd?.(this.controller, {})
  }
  fail(error: Error): void {
    this.handler.onResponseError?.(this.controller, error)
  }
  answerAll(): void {
    this.status(200)
    for (const index of this.ids.keys()) this.answer(index, `answer ${index}`)
    this.end()
  }
}

function setUp() {
  const pool = new FakePool()
  const sent: { size: number; waitedMs: number }[] = []
  const batches = new RequestBatches({
    pool: pool as unknown as Dispatcher,
    connectionWaitMs: 100,
    headersFor: body => ({ 'x-size': String(body.length) }),
    onSend: (size, waitedMs) => sent.push({ size, waitedMs }),
  })
  let made = 0
  const add = (count: number, headers = {}): Recorded[] => {
    const requests = Array.from({ length: count }, () => new Recorded(made++, headers))
    for (const request of requests) batches.add(request)
    return requests
  }
  return { pool, add, sent }
}

/** Sends as many batches as may be without an answer before further requests wait. */
async function fill(add: (count: number) => unknown): Promise<void> {
  for (let i = 0; i < MAX_UNANSWERED_BATCHES; i++) {
    add(2)
    await turn()
  }
}
const turn = () => new Promise(resolve => setImmediate(() => setImmediate(resolve)))

describe('requests that wait at the same time', () => {
  test('share one signed exchange, and each gets its own answer', async () => {
    const { pool, add } = setUp()
    const requests = add(3)
    await turn()
    expect(pool.batches).toHaveLength(1)
    const [batch] = pool.batches
    expect(batch!.ids).toEqual(['request-0', 'request-1', 'request-2'])
    expect(batch!.bodies).toEqual(['body 0', '', 'body 2'])
    const { body, headers } = batch!.options
    expect(headers).toMatchObject({ 'x-size': String((body as Buffer).length) })
    batch!.status(200)
    batch!.answer(2, 'third')
    expect(requests.map(({ ends }) => ends)).toEqual([[], [], [[200, 'third']]])
    batch!.answer(0, 'first')
    batch!.answer(1, 'second')
    batch!.end()
    expect(requests.map(({ ends }) => ends)).toEqual([[[200, 'first']], [[200, 'second']], [[200, 'third']]])
  })

  test('are reported with their number and the wait of the first one', async () => {
    const { pool, add, sent } = setUp()
    await fill(add)
    add(3)
    const since = performance.now()
    await sleep(5)
    const waitedMs = performance.now() - since
    pool.batches[0]!.status(200)
    pool.batches[0]!.answer(0, 'first')
    await turn()
    expect(sent.at(-1)).toMatchObject({ size: 3 })
    expect(sent.at(-1)!.waitedMs).toBeGreaterThanOrEqual(waitedMs)
  })

  test('a single one does not wait for others', async () => {
    const { pool, add } = setUp()
    add(1)
    await turn()
    expect(pool.batches.map(({ ids }) => ids)).toEqual([['request-0']])
  })

  test('one whose client has left is not sent', async () => {
    const { pool, add } = setUp()
    const requests = add(3)
    requests[1]!.hasLeft = true
    await turn()
    expect(pool.batches.map(({ ids }) => ids)).toEqual([['request-0', 'request-2']])
    expect(requests[1]!.ends).toEqual([])
  })

  test('share an exchange up to a limit, and wait while as many batches as allowed have no answer', async () => {
    const { pool, add } = setUp()
    const requests = add(MAX_BATCHED_REQUESTS * MAX_UNANSWERED_BATCHES + 5)
    await turn()
    await turn()
    expect(pool.batches.map(({ ids }) => ids.length)).toEqual(Array(MAX_UNANSWERED_BATCHES).fill(MAX_BATCHED_REQUESTS))
    for (const batch of [...pool.batches]) batch.answerAll()
    await turn()
    expect(pool.batches.at(-1)!.ids).toHaveLength(5)
    pool.batches.at(-1)!.answerAll()
    expect(requests.every(({ ends }) => ends.length === 1)).toBe(true)
  })

  test('share an exchange only as long as the service reads it', async () => {
    const { pool, add } = setUp()
    const long = { cookie: 'x'.repeat(30_000) }
    add(MAX_BATCHED_REQUESTS, long)
    for (let i = 0; i < 3; i++) await turn()
    for (const { options } of pool.batches) {
      expect((options.body as Buffer).length).toBeLessThanOrEqual(MAX_BATCH_BYTES)
    }
    expect(pool.batches.flatMap(({ ids }) => ids)).toHaveLength(MAX_BATCHED_REQUESTS)
  })

  test('those that follow are sent as soon as a batch has its first answer', async () => {
    const { pool, add } = setUp()
    await fill(add)
    add(2)
    await turn()
    expect(pool.batches).toHaveLength(MAX_UNANSWERED_BATCHES)
    pool.batches[0]!.status(200)
    pool.batches[0]!.answer(1, 'first')
    await turn()
    expect(pool.batches).toHaveLength(MAX_UNANSWERED_BATCHES + 1)
    // The further answers of a batch let no further batch go.
    pool.batches[0]!.answer(0, 'second')
    pool.batches[0]!.end()
    add(2)
    await turn()
    expect(pool.batches).toHaveLength(MAX_UNANSWERED_BATCHES + 1)
  })

  test('those that follow do not wait for a slow batch', async () => {
    const { pool, add } = setUp()
    await fill(add)
    add(2)
    await turn()
    expect(pool.batches).toHaveLength(MAX_UNANSWERED_BATCHES)
    // The first two batches have no answer for so long that the third one no longer waits for them.
    while (pool.batches.length < MAX_UNANSWERED_BATCHES + 1) await sleep(1)
  })
})

describe('when a batch fails', () => {
  test('before it was sent, each request fails as never sent', async () => {
    const { pool, add } = setUp()
    const requests = add(2)
    await turn()
    pool.batches[0]!.fail(new Error('refused'))
    expect(requests.map(({ ends }) => ends)).toEqual([[['refused', 'never sent']], [['refused', 'never sent']]])
  })

  test('because no connection became free, it was never sent, also when one becomes free later', async () => {
    const { pool, add } = setUp()
    const requests = add(2)
    while (requests[1]!.ends.length === 0) await sleep(10)
    expect(requests.map(({ ends }) => ends)).toEqual(Array(2).fill([['no connection became free', 'never sent']]))
    pool.batches[0]!.begin()
    expect(pool.batches[0]!.aborted).toBeInstanceOf(Error)
  })

  test('after some answers, those requests stay answered, and the others may have been received', async () => {
    const { pool, add } = setUp()
    const requests = add(3)
    await turn()
    pool.batches[0]!.status(200)
    pool.batches[0]!.answer(1, 'done')
    pool.batches[0]!.fail(new Error('reset'))
    expect(requests.map(({ ends }) => ends)).toEqual([[['reset', 'sent']], [[200, 'done']], [['reset', 'sent']]])
  })

  test('because the service refused to read it, each request is sent alone', async () => {
    const { pool, add } = setUp()
    const requests = add(2)
    await turn()
    pool.batches[0]!.status(404)
    pool.batches[0]!.end()
    expect(requests.map(({ ends }) => ends)).toEqual([['alone'], ['alone']])
  })

  test.each([502, 200, 204])('with status %i and no answers, the requests may have been received', async status => {
    const { pool, add } = setUp()
    const [request] = add(2)
    await turn()
    pool.batches[0]!.status(status)
    pool.batches[0]!.end()
    expect(request!.ends).toEqual([[expect.stringContaining(String(status)), 'sent']])
  })

  test('because an answer belongs to no request, the connection is given up', async () => {
    const { pool, add } = setUp()
    const requests = add(2)
    await turn()
    const [batch] = pool.batches
    batch!.status(200)
    batch!.answer(0, 'once')
    batch!.answer(0, 'twice')
    batch!.answer(1, 'too late')
    expect(batch!.aborted).toBeInstanceOf(Error)
    expect(requests.map(({ ends }) => ends.length)).toEqual([1, 1])
    expect(requests[0]!.ends).toEqual([[200, 'once']])
  })
})
