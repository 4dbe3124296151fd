import type { Dispute } from '@holdfast/contracts/disputes'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { sentTwice } from '@holdfast/testing/sent-twice'
import { aMediator, CaseDriver } from '../../test/case-driver.js'
import type { FakeEscrow } from '../../test/fake-escrow.js'
import { RunningDispute } from '../../test/running-dispute.js'
import { TwoServices } from '../../test/two-services.js'

type Answer = { status: number; body: Dispute & { code?: string } }
interface Prepared {
  readonly send: (key: string) => Promise<Answer>
  /** What the request has done; `once` when it has done it once. */
  readonly effect: () => Promise<unknown>
  readonly once: unknown
}

describe('a request that is sent again while its first replica hangs in the middle of its dbTx', () => {
  let services: TwoServices
  beforeAll(async () => {
    services = await TwoServices.start()
  })
  afterAll(() => services.stop())

  const stepsOf = async (dispute: CaseDriver) =>
    (await dispute.seenBy(dispute.buyer)).history.map(({ step }) => step).filter(step => step !== 'filed')

  const requests: Record<string, () => Promise<Prepared>> = {
    'a filing': async () => {
      const deal = await services.shipped()
      return {
        send: key => services.file(deal, deal.buyer, key),
        effect: async () => (await services.disputesOf(deal.buyer)).map(({ status }) => status),
        once: ['open'],
      }
    },
    'a withdrawal': async () => {
      const dispute = await CaseDriver.open(services)
      return {
        send: key => services.withdraw(dispute.id, dispute.buyer, key),
        effect: async () => [await stepsOf(dispute), (await services.dealOf(dispute.deal)).status],
        once: [['withdrawn'], 'shipped'],
      }
    },
    'a proposal': async () => {
      const dispute = await CaseDriver.open(services)
      return {
        send: key => dispute.propose(dispute.buyer, '30', key),
        effect: () => stepsOf(dispute),
        once: ['settlement_proposed'],
      }
    },
    'the acceptance of a proposal': async () => {
      const dispute = await CaseDriver.open(services)
      await dispute.propose(dispute.buyer, '30')
      return {
        send: key => dispute.propose(dispute.seller, '30', key),
        effect: () => dispute.money(),
        once: expect.objectContaining({ status: 'completed', refunded: 3_000, settlements: 1 }),
      }
    },
    'a ruling': async () => {
      const dispute = await CaseDriver.open(services)
      await dispute.addEvidence(dispute.seller)
      const mediator = aMediator()
      return {
        send: key => dispute.rule(mediator, { outcome: 'partial_refund', refundAmount: '25.00' }, key),
        effect: async () => (await stepsOf(dispute)).filter(step => step === 'ruled'),
        once: ['ruled'],
      }
    },
    'the taking of a case': async () => {
      const dispute = await CaseDriver.open(services)
      await dispute.addEvidence(dispute.seller)
      const mediator = aMediator()
      const body = { status: 'investigating', adminNotes: 'I look at it today.' }
      const path = `/api/admin/disputes/${dispute.id}`
      return {
        send: key =>
          services.replicas.nextDispute().client.request<Answer['body']>('PATCH', path, {
            actor: mediator,
            body,
            headers: { 'idempotency-key': key },
          }),
        effect: async () => (await stepsOf(dispute)).filter(step => step === 'investigation_begun'),
        once: ['investigation_begun'],
      }
    },
  }

  it.each(Object.keys(requests))('gets the answer of the first one when that goes on: %s', async name => {
    const { send, effect, once } = await requests[name]!()
    const key = newId()
    const [first, second] = await sentTwice(services.database.admin, 'dispute', 'goes on', () => send(key))
    expect([200, 201]).toContain(first.status)
    expect(second).toMatchObject({ status: first.status, body: { id: first.body.id, status: first.body.status } })
    expect(await effect()).toEqual(once)
  })

  it.each(Object.keys(requests))('is carried out when the session of the first one is ended: %s', async name => {
    const { send, effect, once } = await requests[name]!()
    const key = newId()
    const [first, second] = await sentTwice(services.database.admin, 'dispute', 'is ended', () => send(key))
    expect([first.status, first.body.code]).toEqual([503, 'UNAVAILABLE'])
    expect([200, 201]).toContain(second.status)
    expect(await effect()).toEqual(once)
  })
})

describe('a request that is sent again while it asks what the deal holds', () => {
  let disputes: RunningDispute
  beforeAll(async () => {
    disputes = await RunningDispute.start()
  })
  afterAll(() => disputes.stop())

  it('gets the answer of the first one, although the deal holds nothing any more', async () => {
    const { id, buyer, seller } = await disputes.aDispute()
    const send = (actor: typeof buyer, key: string) =>
      disputes.client.request<Dispute>('POST', `/api/disputes/${id}/settlement`, {
        ...{ actor, body: { refundAmount: '30' }, headers: { 'idempotency-key': key } },
      })
    expect((await send(buyer, newId())).status).toBe(200)
    const agreed = disputes.escrow.answer
    const key = newId()
    let answer: ((terms: Awaited<ReturnType<FakeEscrow['answer']>>) => void) | undefined
    disputes.escrow.answer = call =>
      call.path.endsWith('/settlement-terms') && !answer ? new Promise(resolve => (answer = resolve)) : agreed(call)
    const asking = send(seller, key)
    await eventually(() => answer)
    const first = await send(seller, key)
    expect(first.status).toBe(200)
    const terms = (await agreed({ path: '/settlement-terms', body: { disputeId: id } }))!
    answer!({ ...terms, body: { ...terms.body, held: '0.00' } })
    expect(await asking).toMatchObject({ status: 200, body: { status: first.body.status } })
  })
})
