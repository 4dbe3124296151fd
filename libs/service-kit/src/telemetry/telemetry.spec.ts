import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '@holdfast/http-client/call'
import { newId } from '@holdfast/kernel/ids'
import { startCollector } from '../../test/collector.js'
import { ACTOR_KEYS, ana, callSigned, keys } from '../../test/signed-calls.js'
import { routes, tinyService } from '../../test/tiny-service.js'
import { batchCalls } from '../database/batch-calls.js'
import { ServiceClient } from '../http/service-client.js'
import { startService } from '../lifecycle/service.js'
import { registry } from './metrics.js'
import {
  beginTrace,
  continueTrace,
  currentTraceId,
  currentTraceparent,
  startSpan,
  startTelemetry,
  stopTelemetry,
  withSpan,
} from './telemetry.js'

type Collector = Awaited<ReturnType<typeof startCollector>>
let collector: Collector
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(async () => {
  await stopTelemetry()
  collector.close()
})

const exportTo = (url: string, share = 1) =>
  startTelemetry('listing-svc', { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_SAMPLER_ARG: share })

const serve = (env: Record<string, string>) =>
  startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, ...env }))

const clientOf = (port: number) =>
  new ServiceClient({ caller: 'gateway', callee: 'listing-svc', origin: `http://127.0.0.1:${port}`, keys })

describe('traces', () => {
  test('continue from one service to the next, and contain errors', async () => {
    expect(currentTraceparent()).toBeUndefined()
    const service = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const client = clientOf(service.port)
    const requestId = newId()
    await withSpan(beginTrace(requestId, 'a message is handled'), async () => {
      await call(routes.makeThing, { query: {}, body: { name: 'Lamp' } }, client.as({ actor: ana }))
      const traceparent = currentTraceparent()!
      await callSigned(`http://127.0.0.1:${service.port}`, { path: '/api/fault', headers: { traceparent } })
    })
    await client.close()
    // The exporter keeps spans and sends them at the end.
    await service.close()

    const [handled] = collector.named('a message is handled')
    const [sent] = collector.named('POST listing-svc')
    const [served] = collector.named('POST /api/things')
    expect(handled?.traceId).toBe(requestId.replaceAll('-', ''))
    expect(sent).toMatchObject({ traceId: handled?.traceId, parentSpanId: handled?.spanId })
    expect(served).toMatchObject({ traceId: handled?.traceId, parentSpanId: sent?.spanId })
    expect(served?.attributes).toMatchObject({ 'http.response.status_code': 201 })
    expect(collector.named('GET /api/fault')[0]).toMatchObject({
      traceId: handled?.traceId,
      events: [{ name: 'exception' }],
    })
  })

  test('begin at the edge, whatever a client sends, and have the id of the request', async () => {
    const options = tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const edge = await startService({
      ...options,
      identify: () => ({ caller: 'gateway', actor: null, clientIp: null }),
    })
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const response = await fetch(`http://127.0.0.1:${edge.port}/api/things/7`, { headers })
    await edge.close()
    const [span, ...others] = collector.named('GET /api/things/:id')
    expect(others).toEqual([])
    expect(span?.traceId).toBe(response.headers.get('x-request-id')!.replaceAll('-', ''))
    expect(span?.parentSpanId ?? '').toBe('')
  })

  test('that are not recorded leave nothing: no span, no header, and no trace in the service behind', async () => {
    const service = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' })
    await withSpan(beginTrace(newId(), 'a request'), async () => {
      expect([currentTraceparent(), currentTraceId(), startSpan('a step')]).toEqual([undefined, undefined, null])
      await callSigned(`http://127.0.0.1:${service.port}`, { path: '/api/things/7' })
    })
    const unsampled = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00`
    for (const header of [undefined, unsampled, 'nonsense', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`])
      expect(continueTrace(header, 'a request')).toBeNull()
    // Where a trace begins decides, so that no trace has holes.
    expect(continueTrace(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'a request')).not.toBeNull()
    await service.close()
    expect(collector.spans).toEqual([])
  })

  test('are recorded in the configured share', async () => {
    await exportTo(collector.url, 0.25)
    const recorded = Array.from({ length: 4_000 }, () => beginTrace(newId(), 'a request')).filter(Boolean).length
    // Eight standard deviations.
    expect(Math.abs(recorded / 4_000 - 0.25)).toBeLessThan(0.055)
  })

  test('contain no message of an error, which may quote what a user sent', async () => {
    await exportTo(collector.url)
    const quoting = Object.assign(new Error('no user has ana@example.com\n  or bob@example.com'), { code: '23505' })
    const work = withSpan(beginTrace(newId(), 'a request'), () => Promise.reject(quoting))
    await expect(work).rejects.toBe(quoting)
    await stopTelemetry()
    expect(collector.named('a request')[0]?.attributes).toMatchObject({ 'error.type': 'Error 23505' })
    expect(collector.text()).toContain('telemetry.spec.ts')
    expect(collector.text()).not.toContain('example.com')
  })
})

describe('work that calls share', () => {
  test('is recorded in the first of their traces, and the others lead to it', async () => {
    await exportTo(collector.url)
    const add = batchCalls('add', async (items: readonly number[]) => {
      await withSpan(startSpan(`statement for ${items.join()}`), () => sleep(1))
    })
    const inTrace = (item: number) => withSpan(beginTrace(newId(), `request ${item}`), () => add(item))
    await Promise.all([inTrace(1), inTrace(2)])
    await stopTelemetry()
    const [first, second] = collector.named('add')
    const [statement] = collector.named('statement for 1,2')
    expect(first?.traceId).toBe(collector.named('request 1')[0]?.traceId)
    expect(statement).toMatchObject({ traceId: first?.traceId, parentSpanId: first?.spanId })
    expect(second).toMatchObject({ links: [{ traceId: first?.traceId, spanId: first?.spanId }] })
    expect(second?.traceId).toBe(collector.named('request 2')[0]?.traceId)
  })

  test('is not recorded in the trace of an earlier call when no call of it is recorded', async () => {
    await exportTo(collector.url)
    const add = batchCalls('add', async (items: readonly string[]) => {
      await withSpan(startSpan(`statement for ${items.join()}`), () => sleep(5))
    })
    const recorded = withSpan(beginTrace(newId(), 'a request'), () => add('recorded'))
    await sleep(2)
    // It waits for the statement that runs, and the next one is started where that one ends.
    await Promise.all([recorded, add('not recorded')])
    await stopTelemetry()
    expect(collector.named('statement for recorded')).toHaveLength(1)
    expect(collector.named('statement for not recorded')).toEqual([])
  })
})

describe('a collector', () => {
  const countOf = async (outcome: string) =>
    Number(
      new RegExp(`^telemetry_exported_spans_total\\{.*outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(
        await registry.metrics(),
      )?.[1] ?? 0,
    )

  test('that is away loses spans and nothing else, and the loss is counted', async () => {
    const away = await startCollector()
    away.close()
    await exportTo(away.url)
    const before = await countOf('lost')
    expect(await withSpan(beginTrace(newId(), 'a request'), async () => 'the answer')).toBe('the answer')
    await stopTelemetry()
    for (let n = 0; n < 100 && (await countOf('lost')) === before; n++) await sleep(100)
    expect(await countOf('lost')).toBe(before + 1)
  })

  test('that hangs delays no request, and the end of a service by a moment only', async () => {
    const hanging = await startCollector({ answers: false })
    const service = await serve({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url })
    const began = performance.now()
    // More than the exporter keeps: the rest is dropped.
    for (let n = 0; n < 3_000; n++) beginTrace(newId(), 'a request')!.end()
    await sleep(50)
    const { status } = await callSigned(`http://127.0.0.1:${service.port}`, { path: '/api/things/7' })
    expect(status).toBe(200)
    expect(performance.now() - began).toBeLessThan(1_500)
    await service.close()
    expect(performance.now() - began).toBeLessThan(5_000)
    hanging.close()
  })
})
