import { type BatchedAnswerHead, type BatchedRequestHead, batchRoute } from '@holdfast/contracts/batches'
import { encodeFrame, FrameReader } from '@holdfast/http-client/batch-frames'
import { ACTOR_KEYS, type Answered, callSigned, keys } from '../../test/signed-calls.js'
import { slowAnswers, tinyService } from '../../test/tiny-service.js'
import { type RunningService, startService } from '../lifecycle/service.js'
import { registry } from '../telemetry/metrics.js'
import { ServiceClient } from './service-client.js'

const MAX = 4

describe('a flood of requests', () => {
  let service: RunningService
  let client: ServiceClient
  let origin: string
  beforeAll(async () => {
    service = await startService(
      tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, MAX_REQUESTS_UNDER_WAY: String(MAX) }),
    )
    origin = `http://127.0.0.1:${service.port}`
    client = new ServiceClient({ caller: 'gateway', callee: 'listing-svc', origin, keys })
  })
  afterAll(async () => {
    await client.close()
    await service.close()
  })

  const metric = async (name: string) => {
    const lines = (await registry.getSingleMetricAsString(name)).split('\n').filter(line => !line.startsWith('#'))
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }
  const slow = () => callSigned(origin, { path: '/api/slow' })
  const webhook = () => callSigned(origin, { path: '/api/webhooks/tiny', method: 'POST', body: '{}' })
  const statuses = (answers: readonly Answered[]) => answers.map(({ status }) => status)

  test('is carried out up to the limit, and refused beyond it at once', async () => {
    const before = await metric('http_requests_shed_total')
    const refused: Answered[] = []
    let release = () => {}
    // Those within the limit run until all refusals have come.
    slowAnswers.heldUntil = new Promise(resolve => {
      release = resolve
    })
    const asked = Array.from({ length: 30 }, async () => {
      const answer = await slow()
      if (answer.status === 503 && refused.push(answer) === 30 - MAX) release()
      return answer
    })
    const answers = await Promise.all(asked).finally(() => {
      slowAnswers.heldUntil = undefined
    })
    expect(statuses(answers).filter(status => status !== 503)).toEqual(Array(MAX).fill(200))
    expect(refused).toHaveLength(30 - MAX)
    expect(refused[0]!.json).toMatchObject({ code: 'UNAVAILABLE' })
    const waits = new Set(refused.map(({ headers }) => headers.get('retry-after')))
    expect([...waits].sort()).toEqual(['1', '2', '3'])
    expect((await metric('http_requests_shed_total')) - before).toBe(30 - MAX)
    expect(await metric('http_requests_under_way')).toBe(0)
  })

  test('does not keep webhooks, health and readiness from being answered', async () => {
    const flood = Promise.all(Array.from({ length: MAX }, slow))
    const hooks = Promise.all(Array.from({ length: MAX }, webhook))
    const [health, ready] = await Promise.all(['/healthz', '/readyz'].map(path => fetch(origin + path)))
    expect([health!.status, ready!.status]).toEqual([200, 200])
    expect(statuses(await hooks)).toEqual(Array(MAX).fill(200))
    expect(statuses(await flood)).toEqual(Array(MAX).fill(200))
  })

  test('in a batch is counted one by one: the others of the batch are answered', async () => {
    const head = { params: {}, query: {}, headers: {}, actor: null, clientIp: null }
    const items: BatchedRequestHead[] = Array.from({ length: MAX + 3 }, (_, n) => {
      return { ...head, requestId: `request-${n}`, route: 'GET /api/slow' }
    })
    const bytes = Buffer.concat(items.flatMap(item => encodeFrame(item, null)))
    const answer = await fetch(origin + batchRoute.path, {
      method: 'POST',
      headers: client.headersForBatch(bytes),
      body: bytes,
    })
    const frames = new FrameReader<BatchedAnswerHead>(1_000_000).push(Buffer.from(await answer.arrayBuffer()))
    const heads = frames.map(frame => frame.head).sort((a, b) => a.index - b.index)
    expect(heads.map(({ status }) => status)).toEqual([...Array(MAX).fill(200), 503, 503, 503])
    expect(heads.at(-1)!.headers['retry-after']).toMatch(/^[123]$/)
    expect((await slow()).status).toBe(200)
  })
})
