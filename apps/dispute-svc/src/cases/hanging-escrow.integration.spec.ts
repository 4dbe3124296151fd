import type { UserActor } from '@holdfast/service-kit/auth/actor'
import type { RunningService } from '@holdfast/service-kit/lifecycle/service'
import { behindOneAddress, FakeReplica } from '@holdfast/testing/hanging-replicas'
import { SignedClient } from '@holdfast/testing/signed-client'
import { aDeal, type FakeEscrow } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'

const COMMANDS = 2

describe('while one of two replicas of escrow-svc hangs', () => {
  let disputes: RunningDispute
  let replica: RunningService
  let client: SignedClient
  let escrows: readonly FakeReplica[]
  let close: () => void
  /** What both replicas answer to a call about each deal. */
  const answers = new Map<string, FakeEscrow['answer']>()

  beforeAll(async () => {
    disputes = await RunningDispute.start()
  })
  afterAll(() => disputes.stop())

  beforeEach(async () => {
    escrows = ['a', 'b'].map(
      name =>
        new FakeReplica(name, async ({ url }, body, response) => {
          // dispute-svc also asks by itself about all disputed deals.
          const answer = answers.get(url!.split('/')[3]!) ?? (() => ({ status: 503, body: {} }))
          const answered = await answer({ path: url!, body: JSON.parse(body || '{}') })
          response
            .writeHead(answered!.status, { 'content-type': 'application/json' })
            .end(JSON.stringify(answered!.body))
        }),
    )
    const address = await behindOneAddress(escrows)
    close = address.close
    replica = await disputes.startReplica({ ESCROW_URL: address.origin })
    client = new SignedClient(replica.port, 'dispute-svc', disputes.keys)
  })
  afterEach(async () => {
    escrows[0]!.goOn()
    await replica.close()
    close()
  })

  function agreed() {
    const deal = aDeal()
    disputes.escrow.agree(deal)
    answers.set(String(deal.id), disputes.escrow.answer)
    return deal
  }

  async function disputed() {
    const deal = agreed()
    const { body } = await disputes.file(deal, deal.buyer)
    return { ...deal, id: body.id, dealId: deal.id }
  }

  async function proposed() {
    const dispute = await disputed()
    const request = { actor: dispute.buyer, body: { refundAmount: '30' } }
    expect((await disputes.client.request('POST', `/api/disputes/${dispute.id}/settlement`, request)).status).toBe(200)
    return dispute
  }

  /** Lets the first replica hang from its first request about one of these deals. */
  async function hangFrom(dealIds: ReadonlySet<number>) {
    const { id, buyer } = await disputed()
    const read = () => client.request('GET', `/internal/disputes/${id}`, { actor: buyer })
    // dispute-svc gets a connection to each replica.
    while (escrows.some(({ requests }) => requests.length === 0)) await Promise.all([read(), read()])
    escrows[0]!.hangsFrom = ({ url }) => dealIds.has(Number(url!.split('/')[3]))
  }

  it.each([
    [
      'a filing',
      async () => {
        const { id: transactionId, buyer: actor } = agreed()
        const body = { transactionId, reason: 'damaged_item', description: 'It is in two pieces.' }
        return { dealId: transactionId, path: '/api/disputes', actor, body }
      },
    ],
    [
      'a withdrawal',
      async () => {
        const { id, dealId, buyer: actor } = await disputed()
        return { dealId, path: `/api/disputes/${id}/withdraw`, actor }
      },
    ],
    [
      'the acceptance of a settlement',
      async () => {
        const { id, dealId, seller: actor } = await proposed()
        return { dealId, path: `/api/disputes/${id}/settlement`, actor, body: { refundAmount: '30' } }
      },
    ],
  ])('%s is carried out by the other one', async (_, make: () => Promise<Command>) => {
    const dealIds = new Set<number>()
    await hangFrom(dealIds)
    // On a busy machine the replica may be slow before it hangs, and then the other one gets the first commands.
    while (!escrows[0]!.hangs) {
      const commands: Command[] = []
      for (let n = 0; n < COMMANDS; n++) commands.push(await make())
      for (const { dealId } of commands) dealIds.add(dealId)
      const answers = await Promise.all(
        commands.map(({ path, actor, body }) => client.request('POST', path, { actor, body })),
      )
      for (const { status } of answers) expect([200, 201]).toContain(status)
    }
    // The call to the hanging replica is still under way, so no command has waited until the time limit of a call.
    expect(escrows[0]!.givenUp).toEqual([])
  })
})

interface Command {
  readonly dealId: number
  readonly path: string
  readonly actor: UserActor
  readonly body?: object
}
