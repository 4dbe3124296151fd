import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { TwoServices } from '../../test/two-services.js'

// Escrow is a process of its own, and its timers take some seconds.
jest.setTimeout(120_000)

let services: TwoServices
beforeAll(async () => {
  services = await TwoServices.start()
})
afterAll(() => services.stop())

describe('a dispute of a party', () => {
  test('freezes the deal at escrow, and its withdrawal resumes it', async () => {
    const deal = await services.shipped()
    const { status, body } = await services.file(deal, deal.buyer)
    expect([status, body.sellerId]).toEqual([201, deal.seller.id])
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: body.id })
    expect(await services.withdraw(body.id, deal.buyer)).toMatchObject({ status: 200, body: { status: 'closed' } })
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
    await services.agree(deal)
  })

  test('is filed once when both parties file at the same moment', async () => {
    const deal = await services.shipped()
    const answers = await Promise.all([deal.buyer, deal.seller].map(who => services.file(deal, who)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    await services.agree(deal)
  })

  test('does not freeze the deal again by a call that arrives after its end', async () => {
    const deal = await services.shipped()
    const first = services.line.holdNext('freeze')
    const filing = services.file(deal, deal.buyer)
    await first.made
    first.lose()
    expect((await filing).status).toBe(503)
    const id = await services.latestOn(deal)
    await services.repeatCall(id)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: id })
    expect((await services.withdraw(id, deal.buyer)).status).toBe(200)
    expect(await first.deliver()).toMatchObject({ status: 409, body: { code: 'DISPUTE_ENDED' } })
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
    await services.agree(deal)
  })

  test('whose first call freezes the deal after escrow refused the repeated call lets the deal resume', async () => {
    const deal = await services.shipped()
    const first = services.line.holdNext('freeze')
    const filing = services.file(deal, deal.buyer)
    await first.made
    first.lose()
    await filing
    const refused = await services.latestOn(deal)
    const { body: other } = await services.file(deal, deal.seller)
    await expect(services.repeatCall(refused)).rejects.toThrow()
    await services.withdraw(other.id, deal.seller)
    expect(await first.deliver()).toMatchObject({ status: 200 })
    await services.agree(deal)
    expect(await services.dealOf(deal)).toEqual({ status: 'shipped', frozenBy: null })
  })

  test('is opened once when the answer of its freeze is lost, also for a request that is repeated with its key', async () => {
    const deal = await services.shipped()
    services.line.loseNextAnswer('freeze')
    expect((await services.file(deal, deal.buyer, 'lost-answer')).status).toBe(503)
    const { status, body } = await services.file(deal, deal.buyer, 'lost-answer')
    expect(status).toBe(201)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: body.id })
    await services.agree(deal)
  })

  test('is closed by its repeated call when the answer of its withdrawal is lost', async () => {
    const deal = await services.shipped()
    const { body } = await services.file(deal, deal.buyer)
    services.line.loseNextAnswer('resume')
    expect((await services.withdraw(body.id, deal.buyer)).status).toBe(503)
    await services.repeatCall(body.id)
    expect(await services.disputesOf(deal.seller)).toMatchObject([{ id: body.id, status: 'closed' }])
    await services.agree(deal)
  })

  test('is opened although escrow was killed while it handled the freeze', async () => {
    const deal = await services.shipped()
    const call = services.line.holdNext('freeze')
    const filing = services.file(deal, deal.buyer)
    await call.made
    const delivered = call.deliver().catch(() => undefined)
    await services.killEscrow()
    await delivered
    call.lose()
    expect((await filing).status).toBe(503)
    await services.startEscrow()
    const id = await services.latestOn(deal)
    await services.repeatCall(id)
    expect(await services.dealOf(deal)).toEqual({ status: 'disputed', frozenBy: id })
    await services.agree(deal)
  })
})

describe('a dispute that the system files when a parcel does not arrive in time', () => {
  test('is open for both parties, and neither can withdraw it', async () => {
    const deal = await services.overdue()
    const [dispute] = await services.disputesOf(deal.seller)
    expect(dispute).toMatchObject({ status: 'open', reporterId: null, reason: 'item_not_received' })
    for (const who of [deal.buyer, deal.seller]) expect((await services.withdraw(dispute!.id, who)).status).toBe(403)
    await services.agree(deal)
  })

  test.each([
    ['the carrier reports the delivery', 'inspection', (deal: Deal) => services.carrierDelivers(deal)],
    [
      'the buyer says that it arrived',
      'inspection',
      (deal: Deal) => services.act(deal, deal.buyer, 'confirm-delivery'),
    ],
    ['the seller refunds', 'cancelled', (deal: Deal) => services.act(deal, deal.seller, 'refund')],
  ] as const)('is closed when %s, and the deal goes on', async (_, status, end) => {
    const deal = await services.overdue()
    await end(deal)
    expect(await services.dealOf(deal)).toEqual({ status, frozenBy: null })
    await services.agree(deal)
    expect(await services.disputesOf(deal.buyer)).toMatchObject([{ status: 'closed', resolution: expect.any(String) }])
  })
})

type Deal = Awaited<ReturnType<TwoServices['shipped']>>
