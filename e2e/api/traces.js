import assert from 'node:assert/strict'
import { Deal } from '../support/deal.js'
import { eventually } from '../support/eventually.js'
import { journey } from '../support/runner.js'
import { pathTo, traceOf } from '../support/traces.js'

/** Services export their spans every five seconds. */
const WITHIN_MS = 30_000

/**
 * Waits until the trace of a request has the expected spans, and fails unless every span of it leads to the request at the gateway.
 *
 * @param {string} requestId
 * @param {string} root the request at the gateway
 * @param {[string, string, string][]} expected for each span its service, its name, and the name of a span above it
 */
async function traced(requestId, root, expected) {
  let spans = []
  const isThere = ([service, name, above]) =>
    spans.some(
      span => span.service === service && span.name === name && pathTo(span, spans).some(each => each.name === above),
    )
  const missing = () => expected.filter(each => !isThere(each)).map(each => each.join(' | '))
  const found = () => spans.map(({ service, name }) => `${service} ${name}`).join('\n')
  await eventually(
    () => `the trace ${requestId} has ${missing().join('; ')}. It has:\n${found()}`,
    async () => {
      spans = await traceOf(requestId)
      return missing().length === 0
    },
    { withinMs: WITHIN_MS, everyMs: 500 },
  )
  const begun = new Set(spans.map(span => pathTo(span, spans).at(-1) ?? span))
  assert.deepEqual(
    [...begun].map(({ service, name, parentId }) => [service, name, parentId]),
    [['gateway', root, undefined]],
  )
  return spans
}

const requestIdOf = ({ status, headers, text }) => {
  assert.equal(status, 200, text)
  return headers.get('x-request-id')
}

/** The effect of an event in a service: it is handled because it was published, and the effect is committed. */
const effects = (type, services) =>
  services.flatMap(service => [
    [service, `handle ${type}`, `publish ${type}`],
    [service, 'COMMIT', `handle ${type}`],
  ])

export const traces = [
  journey(
    'one trace leads from an acceptance through the shared exchange to the ledger and to every service that handles its event',
    async () => {
      const deal = await Deal.at('inspection')
      // No one outside may choose a trace: otherwise they could make us record every request.
      const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
      const requestId = requestIdOf(await deal.buyer.call('POST', `${deal.path}/accept`, { headers }))
      const route = 'POST /api/transactions/:id/accept'
      const completed = 'escrow.transaction.completed.v1'
      const spans = await traced(requestId, route, [
        ['gateway', 'look up sessions', route],
        ['identity-svc', 'POST /internal/sessions/verify', 'look up sessions'],
        ['escrow-svc', route, 'POST escrow-svc'],
        ['escrow-svc', 'UPDATE escrow.transaction', 'deal_write'],
        ['escrow-svc', `publish ${completed}`, route],
        ...effects(completed, ['listing-svc', 'messaging-svc', 'identity-svc']),
        ['gateway', `show ${completed}`, `publish ${completed}`],
      ])
      assert.ok(spans.some(({ name, tags }) => name === 'POST escrow-svc' && tags['holdfast.batched'] === true))
    },
  ),
  journey(
    'one trace leads from a cancellation to the call to the provider, to the commit and to every effect of its event',
    async () => {
      const deal = await Deal.open()
      await deal.beginPayment()
      const requestId = requestIdOf(await deal.buyer.call('PATCH', deal.path, { body: { status: 'cancelled' } }))
      const route = 'PATCH /api/transactions/:id'
      const cancelled = 'escrow.transaction.cancelled.v1'
      const spans = await traced(requestId, route, [
        ['escrow-svc', route, 'PATCH escrow-svc'],
        ['escrow-svc', 'POST stripe', route],
        ['escrow-svc', 'UPDATE escrow.transaction', 'deal_write'],
        ['escrow-svc', `publish ${cancelled}`, route],
        ...effects(cancelled, ['listing-svc', 'messaging-svc', 'dispute-svc']),
        ['gateway', `show ${cancelled}`, `publish ${cancelled}`],
      ])
      const words = JSON.stringify(spans)
      for (const secret of [deal.buyer.email, deal.buyer.username, deal.seller.email, deal.listing.title, 'pi_'])
        assert.ok(!words.includes(secret), `the trace has "${secret}"`)
    },
  ),
]
