import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { call } from '@holdfast/http-client/call'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACTOR_KEYS, ana, callSigned, keys } from '../../test/signed-calls.js'
import { routes, tinyService } from '../../test/tiny-service.js'
import { ServiceClient } from '../http/service-client.js'
import { type RunningService, startService } from '../lifecycle/service.js'
import { currentTraceparent, withSpan } from './telemetry.js'

interface ExportedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: { key: string; value: Record<string, unknown> }[]
  readonly events: { name: string }[]
}

const spans: ExportedSpan[] = []
let collector: Server
let service: RunningService
let origin: string

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const { spans: some } of scopeSpans) spans.push(...some)
    response.end('{}')
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  expect(currentTraceparent()).toBeUndefined()
  service = await startService(tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, OTEL_EXPORTER_OTLP_ENDPOINT }))
  origin = `http://127.0.0.1:${service.port}`
})
afterAll(() => {
  collector.close()
})

const named = (name: string) => spans.filter(span => span.name === name)

describe('traces', () => {
  test('continue from one service to the next, and contain errors', async () => {
    const client = new ServiceClient({ caller: 'gateway', callee: 'listing-svc', origin, keys })
    await withSpan('a message is handled', {}, async () => {
      await call(routes.makeThing, { query: {}, body: { name: 'Lamp' } }, client.as({ actor: ana }))
    })
    await callSigned(origin, { path: '/api/fault' })
    await client.close()
    // The exporter keeps spans and sends them at the end.
    await service.close()

    const [handled] = named('a message is handled')
    const [sent] = named('POST listing-svc')
    const [served] = named('POST /api/things')
    expect(sent).toMatchObject({ traceId: handled?.traceId, parentSpanId: handled?.spanId })
    expect(served).toMatchObject({ traceId: handled?.traceId, parentSpanId: sent?.spanId })
    expect(served?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } })
    expect(named('GET /api/fault')[0]?.events).toMatchObject([{ name: 'exception' }])
  })
})
