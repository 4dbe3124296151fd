import { refundMadeByHand } from '@holdfast/testing/stripe-events'
import { aMediator, aNewMediator, CaseDriver } from '../../test/case-driver.js'
import { TwoServices } from '../../test/two-services.js'

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterEach(async () => expect(await services.faultsInBooks()).toEqual([]))
afterAll(() => services.stop())

/** A deal whose ruling needs a second admin. */
const LARGE = '900.00'
/** A case that the other party has answered. */
async function answered(price = '100.00'): Promise<CaseDriver> {
  const dispute = await CaseDriver.open(services, price)
  await dispute.addEvidence(dispute.seller)
  return dispute
}
/** A ruling that waits for a second admin. */
async function asked(mediator = aMediator(), ruling: object = { outcome: 'full_refund' }) {
  const dispute = await answered(LARGE)
  const { status, body } = await dispute.rule(mediator, ruling)
  expect([status, body.status]).toEqual([200, 'investigating'])
  return { dispute, mediator, requestId: body.approvalId! }
}
const actsOf = async (dispute: CaseDriver) => {
  const { client } = services.replicas.nextDispute()
  const path = `/internal/admin/acts?subject=dispute:${dispute.id}`
  return (await client.request<{ act: string; actorId: string }[]>('GET', path)).body.map(({ act, actorId }) => [
    act,
    actorId,
  ])
}

describe('a ruling above the amount', () => {
  it('waits for a second admin, and is then the ruling of the mediator who asked for it', async () => {
    const { dispute, mediator, requestId } = await asked()
    expect(requestId).toEqual(expect.any(String))
    const second = aMediator()
    const { rulings, rulingRequest, actions } = await dispute.seenBy(second)
    expect(rulings).toEqual([])
    expect(rulingRequest).toMatchObject({
      id: requestId,
      outcome: 'full_refund',
      refundAmount: '900.00',
      askedBy: 'other',
    })
    expect(actions).toContain('decideRuling')
    for (const party of [dispute.buyer, dispute.seller])
      expect(await dispute.seenBy(party)).toMatchObject({ rulingRequest: null, rulings: [] })
    expect(await dispute.decideRuling(mediator, requestId)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await dispute.decideRuling(second, requestId)).toMatchObject({ status: 200, body: { status: 'resolved' } })
    expect((await dispute.decideRuling(second, requestId)).status).toBe(409)
    expect(await dispute.seenBy(second)).toMatchObject({ rulings: [{ outcome: 'full_refund' }], rulingRequest: null })
    expect(await actsOf(dispute)).toEqual(
      expect.arrayContaining([
        ['approval.ask', mediator.id],
        ['approval.approve', second.id],
        ['dispute.rule', mediator.id],
      ]),
    )
    await dispute.endClock('appeal')
    expect(await dispute.money()).toMatchObject({ status: 'cancelled', hold: 0, settlements: 1 })
  })

  it('is rejected by another admin, or taken back, and nothing is recorded', async () => {
    const { dispute, mediator, requestId } = await asked()
    expect((await dispute.decideRuling(aMediator(), requestId, 'reject')).status).toBe(200)
    const again = (await dispute.rule(mediator, { outcome: 'seller_favor' })).body.approvalId!
    expect((await dispute.decideRuling(aMediator(), requestId)).status).toBe(409)
    expect((await dispute.decideRuling(mediator, again, 'reject')).status).toBe(200)
    expect(await dispute.seenBy(aMediator())).toMatchObject({
      rulings: [],
      rulingRequest: null,
      status: 'investigating',
    })
  })

  it('is not approved by, or for, an admin who was appointed too recently', async () => {
    const { dispute, mediator, requestId } = await asked()
    const second = aMediator()
    expect(await dispute.decideRuling(second, requestId, 'approve', [second])).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_TOO_NEW', details: { who: 'approver' } },
    })
    // The mediator who asked may have lost the role meanwhile.
    expect(await dispute.decideRuling(second, requestId, 'approve', [mediator])).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_TOO_NEW', details: { who: 'asker' } },
    })
    expect((await dispute.seenBy(second)).rulings).toEqual([])
  })

  it('is not approved after another mediator has taken the case over, or the deal holds another amount', async () => {
    const [taken, changed] = [await asked(), await asked()]
    const second = aMediator()
    expect((await taken.dispute.take(aMediator(), true)).status).toBe(200)
    expect(await taken.dispute.decideRuling(second, taken.requestId)).toMatchObject({ body: { code: 'DISPUTE_TAKEN' } })
    const { intent } = changed.dispute.deal
    await services.providerReports(refundMadeByHand('refund.created', { intent, amount: 3_000, status: 'succeeded' }))
    expect(await changed.dispute.decideRuling(second, changed.requestId)).toMatchObject({ body: { code: 'CONFLICT' } })
    for (const { dispute } of [taken, changed]) expect((await dispute.seenBy(second)).rulings).toEqual([])
  })

  it('waits no longer once the same mediator has ruled, because the deal holds less than the amount', async () => {
    const { dispute, mediator, requestId } = await asked()
    const refunded = { intent: dispute.deal.intent, amount: 60_000, status: 'succeeded' } as const
    await services.providerReports(refundMadeByHand('refund.created', refunded))
    expect((await dispute.rule(mediator, { outcome: 'full_refund' })).body).toMatchObject({
      status: 'resolved',
      approvalId: null,
    })
    await dispute.command('appeal', dispute.buyer, { reason: 'Look again.' })
    const second = await dispute.seenBy(aMediator())
    expect(second).toMatchObject({ rulingRequest: null })
    expect(second.actions).not.toContain('decideRuling')
    expect((await dispute.decideRuling(aMediator(), requestId)).body.code).toBe('CONFLICT')
  })

  it('is not approved when it has expired', async () => {
    const { dispute, requestId } = await asked()
    await services.database.admin.query('UPDATE dispute.ruling_request SET expires_at = now() WHERE id = $1', [
      requestId,
    ])
    expect(await dispute.decideRuling(aMediator(), requestId)).toMatchObject({ status: 410 })
  })

  it('is recorded once when two admins approve it at the same moment, and when one of them rejects it', async () => {
    const [both, one] = [await asked(), await asked()]
    const approvals = await Promise.all(
      [aMediator(), aMediator()].map(admin => both.dispute.decideRuling(admin, both.requestId)),
    )
    expect(approvals.map(({ status }) => status).sort()).toEqual([200, 409])
    const [approval, rejection] = await Promise.all([
      one.dispute.decideRuling(aMediator(), one.requestId),
      one.dispute.decideRuling(aMediator(), one.requestId, 'reject'),
    ])
    expect([approval.status, rejection.status].sort()).toEqual([200, 409])
    const { rulings } = await one.dispute.seenBy(aMediator())
    expect(rulings).toHaveLength(approval.status === 200 ? 1 : 0)
    expect((await both.dispute.seenBy(aMediator())).rulings).toHaveLength(1)
  })

  it('ends with the dispute when the parties settle first', async () => {
    const { dispute, requestId } = await asked()
    await dispute.propose(dispute.buyer, '10')
    await dispute.accept(dispute.seller, await dispute.proposalOf(dispute.buyer))
    expect((await dispute.decideRuling(aMediator(), requestId)).status).toBe(409)
    expect(await dispute.money()).toMatchObject({ refunded: 1_000, settlements: 1 })
    const { client } = services.replicas.nextDispute()
    const actor = aMediator()
    const queued = await client.request<{ id: number; waitsForApproval: boolean }[]>(
      'GET',
      '/internal/disputes?status=closed&limit=50',
      { actor },
    )
    expect(queued.body.find(({ id }) => id === dispute.id)).toMatchObject({ waitsForApproval: false })
  })

  it('needs two admins again on appeal, and neither of the two before is among them', async () => {
    const { dispute, mediator, requestId } = await asked(aMediator(), { outcome: 'seller_favor' })
    const approver = aMediator()
    await dispute.decideRuling(approver, requestId)
    await dispute.command('appeal', dispute.buyer, { reason: 'Look again.' })
    for (const before of [mediator, approver]) {
      expect((await dispute.rule(before, { outcome: 'full_refund' })).status).toBe(403)
      expect((await dispute.take(before)).status).toBe(403)
    }
    const other = aMediator()
    const { body } = await dispute.rule(other, { outcome: 'full_refund' })
    for (const before of [mediator, approver])
      expect((await dispute.decideRuling(before, body.approvalId!)).status).toBe(403)
    expect(await dispute.money()).toMatchObject({ status: 'disputed', settlements: 0 })
    expect((await dispute.decideRuling(aMediator(), body.approvalId!)).body.status).toBe('closed')
    expect(await dispute.money()).toMatchObject({ status: 'cancelled', settlements: 1 })
  })
})

describe('a ruling of any amount', () => {
  it('on an appeal or a contested return is not made by an account that was appointed a moment ago', async () => {
    const dispute = await answered()
    await dispute.rule(aMediator(), { outcome: 'seller_favor' })
    await dispute.command('appeal', dispute.buyer, { reason: 'Look again.' })
    expect(await dispute.rule(aNewMediator(), { outcome: 'seller_favor' })).toMatchObject({
      status: 403,
      body: { code: 'ADMIN_TOO_NEW', details: { who: 'decider' } },
    })
    expect((await dispute.rule(aMediator(), { outcome: 'full_refund' })).body.status).toBe('closed')
  })

  it('is made only by the mediator who has the case; another one takes it over first, and that is kept', async () => {
    const dispute = await answered()
    const [first, second] = [aMediator(), aMediator()]
    await dispute.take(first)
    expect(await dispute.rule(second, { outcome: 'full_refund' })).toMatchObject({
      status: 409,
      body: { code: 'DISPUTE_TAKEN' },
    })
    expect((await dispute.seenBy(second)).actions).not.toContain('rule')
    expect((await dispute.take(second, true)).status).toBe(200)
    expect((await dispute.rule(first, { outcome: 'full_refund' })).body.code).toBe('DISPUTE_TAKEN')
    expect((await dispute.rule(second, { outcome: 'full_refund' })).body.status).toBe('resolved')
    expect(await actsOf(dispute)).toEqual([
      ['dispute.rule', second.id],
      ['dispute.investigate', second.id],
      ['dispute.investigate', first.id],
    ])
  })

  it('takes a case that nobody has taken; of two mediators at the same moment one has ruled', async () => {
    const dispute = await answered()
    const both = await Promise.all([
      dispute.rule(aMediator(), { outcome: 'full_refund' }),
      dispute.rule(aMediator(), { outcome: 'seller_favor' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const { rulings, history } = await dispute.seenBy(aMediator())
    expect(rulings).toHaveLength(1)
    expect(history.map(({ step }) => step).filter(step => step === 'investigation_begun')).toHaveLength(1)
  })

  it('on an appeal is taken and taken over like the first one', async () => {
    const dispute = await answered()
    await dispute.rule(aMediator(), { outcome: 'seller_favor' })
    await dispute.command('appeal', dispute.buyer, { reason: 'Look again.' })
    const [first, second] = [aMediator(), aMediator()]
    expect((await dispute.seenBy(first)).takenBy).toBeNull()
    expect((await dispute.take(first)).status).toBe(200)
    expect((await dispute.seenBy(first)).takenBy).toBe('reader')
    expect((await dispute.rule(second, { outcome: 'full_refund' })).body.code).toBe('DISPUTE_TAKEN')
    expect((await dispute.rule(first, { outcome: 'full_refund' })).body.status).toBe('closed')
  })
})
