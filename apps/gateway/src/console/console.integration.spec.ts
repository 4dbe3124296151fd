import type { KeptAct, StuckCase } from '@holdfast/contracts/admin'
import { gatewayAdminRoutes } from '@holdfast/contracts/admin'
import { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import { eventAdminRoutes } from '@holdfast/contracts/admin-events'
import { identityAdminRoutes } from '@holdfast/contracts/admin-users'
import type { RouteDefinition } from '@holdfast/contracts/route'
import { newId } from '@holdfast/kernel/ids'
import { RunningGateway } from '../../test/running-gateway.js'

describe('the operator’s console', () => {
  const gateway = new RunningGateway()
  const { services } = gateway
  let token: string

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => {
    services.clear()
    token = services.signIn({ role: 'admin' }).token
  })

  const act = (id: string): KeptAct => ({
    id,
    at: '2026-11-22T12:00:00.000Z',
    actorId: newId(),
    commandLineUser: null,
    act: 'refund.force',
    subject: 'transaction:7',
    before: { status: 'paid' },
    after: { status: 'cancelled' },
    reason: 'They asked',
  })

  it('shows the acts of all services in one order, and the next page begins behind the last', async () => {
    const [a, b, c, d, e] = [newId(), newId(), newId(), newId(), newId()]
    services.on('escrow-svc', 'GET', '/internal/admin/acts', () => [act(e), act(b)])
    services.on('identity-svc', 'GET', '/internal/admin/acts', () => [act(d), act(a)])
    services.on('dispute-svc', 'GET', '/internal/admin/acts', () => [act(c)])
    const answer = await gateway.ask('GET', '/api/admin/audit?limit=3&act=refund.force', { token })
    expect(((await answer.json()) as KeptAct[]).map(({ id }) => id)).toEqual([e, d, c])
    expect(answer.headers.get('link')).toBe(`</api/admin/audit?limit=3&act=refund.force&before=${c}>; rel="next"`)
    for (const { url } of services.received) expect(url).toBe('/internal/admin/acts?limit=3&act=refund.force')
  })

  it('names the disputed deals of which dispute-svc has no dispute, and shows what is stuck the longest first', async () => {
    const clock: StuckCase = {
      kind: 'clock_overdue',
      id: '3',
      transactionId: 3,
      since: '2026-11-22T12:00:00.000Z',
      text: 'The clock ship_by is due and was not ended.',
      runbook: 'money.md#deadlines-pass-and-nothing-happens',
    }
    const since = '2026-11-22T11:00:00.000Z'
    services.on('escrow-svc', 'GET', '/internal/admin/stuck', () => ({
      cases: [clock],
      disputed: [7, 8].map(transactionId => ({ transactionId, disputeId: transactionId, since })),
    }))
    services.on('dispute-svc', 'POST', '/internal/admin/deals-with-dispute', ({ body }) => {
      expect(JSON.parse(body.toString())).toEqual({ transactionIds: [7, 8] })
      return { transactionIds: [8] }
    })
    const waits = { ...clock, kind: 'dispute_waits_for_escrow', since: '2026-11-22T10:00:00.000Z' }
    services.on('dispute-svc', 'GET', '/internal/admin/stuck-disputes', () => [waits])
    const answer = await gateway.ask('GET', '/api/admin/stuck', { token })
    expect(await answer.json()).toMatchObject([
      waits,
      { kind: 'disputed_without_dispute', transactionId: 7, since },
      clock,
    ])
  })

  it('shows what is stuck at escrow-svc while dispute-svc does not answer, and says what is missing', async () => {
    const since = '2026-11-22T11:00:00.000Z'
    const payout = { kind: 'payout_waits', id: newId(), transactionId: null, since, text: 'It waits.', runbook: 'a.md' }
    services.on('escrow-svc', 'GET', '/internal/admin/stuck', () => ({
      cases: [payout],
      disputed: [{ transactionId: 7, disputeId: null, since }],
    }))
    services.on('dispute-svc', 'GET', '/internal/admin/stuck-disputes', (_, reply) => reply.code(503).send({}))
    services.on('dispute-svc', 'POST', '/internal/admin/deals-with-dispute', () => ({ transactionIds: [7] }))
    const answer = await gateway.ask('GET', '/api/admin/stuck', { token })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject([payout, { kind: 'not_checked', id: 'dispute-svc' }])
  })

  it('sends an approval on with the admins who were appointed long enough ago, and a rejection without them', async () => {
    const approvers = [newId(), newId()]
    const id = newId()
    const at = '2026-11-22T12:00:00.000Z'
    services.on('identity-svc', 'GET', '/internal/admin/approvers', () => ({ userIds: approvers }))
    const sent: unknown[] = []
    services.on('escrow-svc', 'POST', `/internal/admin/approvals/${id}`, ({ body }) => {
      sent.push(JSON.parse(body.toString()))
      return {
        ...{ id, kind: 'refund.force', subject: 'transaction:7', amount: '907.00', currency: 'USD', input: {} },
        ...{ reason: 'They asked', askedBy: approvers[0], askedAt: at, expiresAt: at, state: 'approved' },
        ...{ decidedBy: approvers[1], decidedAt: at, decisionReason: 'I read it' },
      }
    })
    for (const decision of ['approve', 'reject']) {
      const body = { decision, reason: 'I read it' }
      expect((await gateway.ask('POST', `/api/admin/approvals/${id}`, { token, body })).status).toBe(200)
    }
    expect(sent).toEqual([
      { decision: 'approve', reason: 'I read it', approvers },
      { decision: 'reject', reason: 'I read it', approvers: [] },
    ])
  })

  const routes: RouteDefinition[] = [
    escrowAdminRoutes,
    eventAdminRoutes,
    identityAdminRoutes,
    gatewayAdminRoutes,
  ].flatMap(each => Object.values<RouteDefinition>(each))
  const names = routes.map(({ method, path }) => [method, path.replace(/\{\w+\}/g, '1')] as const)

  it.each(names)(
    'is not there for anybody who is no admin, and for a write from another site: %s %s',
    async (method, path) => {
      // The services refuse them, too; here they would answer.
      for (const service of ['escrow-svc', 'identity-svc'] as const) services.on(service, method, path, () => ({}))
      const unknown = await (await gateway.ask('GET', '/api/admin/no-such-thing')).json()
      const user = services.signIn().token
      const headers = { origin: 'https://evil.example' }
      // Another site may make an admin's browser read: it does not get the answer.
      const fromOtherSite = method === 'GET' ? [] : [{ token, headers, body: {} }]
      for (const asked of [{}, { token: user }, { token: user, headers }, ...fromOtherSite]) {
        const answer = await gateway.ask(method, path, asked)
        expect(answer.status).toBe(404)
        expect(await answer.json()).toEqual({ ...(unknown as object), requestId: expect.any(String) })
      }
      expect(services.received).toEqual([])
    },
  )

  it('does not say which methods a path of it has', async () => {
    const answer = await gateway.ask('DELETE', '/api/admin/users')
    expect([answer.status, answer.headers.get('allow')]).toEqual([404, null])
  })
})
