import type { RouteDefinition } from '@holdfast/contracts/route'
import { publicRoutes } from '@holdfast/contracts/routes'
import { RunningGateway } from '../../test/running-gateway.js'

const PROOF = '/internal/account/proof'
const gateway = new RunningGateway()
const { services } = gateway
beforeAll(() => gateway.start())
afterAll(() => gateway.stop())
beforeEach(() => services.clear())

const refusal = {
  ...{ code: 'CONFIRMATION_REQUIRED', message: 'Please confirm that it is you.', error: '' },
  ...{ details: { methods: ['authenticator'] }, requestId: 'r' },
}
const refuses = () => services.on('identity-svc', 'POST', PROOF, (_, reply) => reply.code(403).send(refusal))
const proves = () => services.on('identity-svc', 'POST', PROOF, (_, reply) => reply.code(204).send())
/** What came to the services beside the question for the proof. */
const reached = () => services.received.filter(({ url }) => url !== PROOF)
const ID = '0199aabb-ccdd-7eef-8011-223344556677'
const PROVEN = Object.entries(publicRoutes as Record<string, RouteDefinition>)
  .filter(([, route]) => route.needsProof)
  .map(([name, route]) => [name, route] as const)
const call = (route: RouteDefinition, token?: string) =>
  gateway.ask(route.method, route.path.replace(/\{\w+\}/g, ID), {
    headers: { 'content-type': 'application/json' },
    body: '{}',
    ...(token !== undefined && { token }),
  })

test('the acts that change where money goes or whom others trust need a proof of the person', () => {
  expect(PROVEN.map(([name]) => name).sort()).toEqual([
    'adjustLedger',
    'changeUserRole',
    'decideApproval',
    'decideRuling',
    'forceRefund',
    'putPayoutAccount',
    'ruleDispute',
    'sendPayoutAgain',
    'sendPhoneCode',
    'sendRefundAgain',
  ])
})

describe.each(PROVEN)('%s', (_, route) => {
  const role = route.access === 'admin' ? 'admin' : 'user'

  test('reaches its service only after identity-svc has found that the person has shown who they are', async () => {
    const { token, user } = services.signIn({ role })
    refuses()
    const answer = await call(route, token)
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: 'CONFIRMATION_REQUIRED', details: { methods: ['authenticator'] } },
    ])
    expect(reached()).toEqual([])
    proves()
    const proven = await call(route, token)
    // The gateway itself reads the input of a route that joins services: here an empty body, or an id that no dispute has.
    if (route.handling === 'joined') expect([400, 404]).toContain(proven.status)
    else {
      expect(proven.status).toBe(200)
      expect(reached()).toHaveLength(1)
    }
    const asked = services.received.filter(({ url }) => url === PROOF)
    expect(asked.map(({ caller }) => caller?.actor)).toMatchObject([{ id: user.id }, { id: user.id }])
  })

  test('is refused as unavailable, with a known outcome, while identity-svc does not answer about the proof', async () => {
    const { token } = services.signIn({ role })
    services.on('identity-svc', 'POST', PROOF, (_, reply) => reply.code(503).send({ code: 'UNAVAILABLE' }))
    const answer = await call(route, token)
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE' }])
    expect(reached()).toEqual([])
  })

  test('asks nobody for a proof who may not do it anyway', async () => {
    refuses()
    const others = route.access === 'admin' ? [undefined, services.signIn({ role: 'user' }).token] : [undefined]
    for (const token of others) expect((await call(route, token)).status).toBe(route.access === 'admin' ? 404 : 401)
    expect(services.received.filter(({ url }) => url === PROOF)).toEqual([])
  })
})
