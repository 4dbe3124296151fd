import { eventually } from '@holdfast/testing/eventually'
import type { DealUnderTest } from '../../test/deal-driver.js'
import { eventDifferences, waitingEvents } from '../../test/published-events.js'
import { RunningEscrow } from '../../test/running-escrow.js'
import { CarrierClient, type Tracker } from './carrier.client.js'

const RECEIVE_BY_DAYS = 30.01

describe('a parcel that was not reported as delivered in time', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterEach(async () => {
    expect(await escrow.violations()).toEqual([])
    await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0)
    expect(await eventDifferences(escrow.database.admin)).toEqual([])
  })
  afterAll(() => escrow.stop())

  const shipped = async () => {
    const deal = await escrow.paidAtProvider()
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: `L${deal.id}` })
    return deal
  }
  const overdue = async () => {
    const deal = await shipped()
    await passReceiveBy(deal)
    expect(await escrow.status(deal.id)).toBe('disputed')
    return deal
  }
  const passReceiveBy = async ({ id }: DealUnderTest, days = RECEIVE_BY_DAYS) => {
    await escrow.elapse(id, days)
    await escrow.fireTimers(id)
  }
  const timelineOf = async ({ id, buyer }: DealUnderTest) =>
    (await escrow.request<{ kind: string }[]>('GET', `/api/transactions/${id}/timeline`, { actor: buyer })).body.map(
      ({ kind }) => kind,
    )

  /** Runs `work` while the carrier answers every question like this. */
  async function whileCarrier(answer: () => Promise<Tracker>, work: () => Promise<void>): Promise<void> {
    const carrier = escrow.service.app.get(CarrierClient)
    const { find, track } = carrier
    Object.assign(carrier, { find: answer, track: answer })
    try {
      await work()
    } finally {
      Object.assign(carrier, { find, track })
    }
  }
  /** The carrier has a delivery scan that it has not sent. */
  const knowsOfDelivery = (scannedAt: Date) => async (): Promise<Tracker> => ({
    ...{ id: 'trk_1', trackingNumber: 'L', carrier: 'UPS', status: 'delivered', description: 'Delivered' },
    ...{ location: null, estimatedDelivery: null, lastUpdate: scannedAt, deliveredAt: scannedAt },
  })
  const unreachable = () => Promise.reject(new Error('no connection'))

  it('begins its inspection when the carrier is asked and knows of the delivery: no dispute is filed', async () => {
    const deal = await shipped()
    await whileCarrier(knowsOfDelivery(new Date()), () => passReceiveBy(deal))
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(await timelineOf(deal)).not.toContain('endReceiveBy')
  })

  it('is disputed when the delivery that the carrier knows of is older than the payment', async () => {
    const deal = await shipped()
    await whileCarrier(knowsOfDelivery(new Date(Date.now() - 90 * 86_400_000)), () => passReceiveBy(deal))
    expect(await escrow.status(deal.id)).toBe('disputed')
  })

  it('waits a day for a carrier that cannot be reached, and is disputed then', async () => {
    const deal = await shipped()
    await whileCarrier(unreachable, async () => {
      await passReceiveBy(deal)
      expect(await escrow.status(deal.id)).toBe('shipped')
      await passReceiveBy(deal, 1)
      expect(await escrow.status(deal.id)).toBe('disputed')
    })
  })

  it('waits as long for a carrier whose report is dated too far in the future', async () => {
    const deal = await shipped()
    await whileCarrier(knowsOfDelivery(new Date('2999-01-01')), async () => {
      await passReceiveBy(deal)
      expect(await escrow.status(deal.id)).toBe('shipped')
      await passReceiveBy(deal, 1)
      expect(await escrow.status(deal.id)).toBe('disputed')
    })
  })

  it('goes on from the system’s dispute when the carrier reports the delivery', async () => {
    const deal = await overdue()
    await escrow.carrierDelivers(`L${deal.id}`)
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect((await timelineOf(deal)).slice(-3)).toEqual(['endDispute', 'recordDelivery', 'inspect'])
  })

  it('goes on from the system’s dispute when its buyer says that it arrived', async () => {
    const deal = await overdue()
    const seen = await escrow.request('GET', `/internal/transactions/${deal.id}`, { actor: deal.buyer })
    expect(seen.body).toMatchObject({ status: 'disputed', actions: ['confirm_delivery'] })
    expect(await escrow.act(deal.id, deal.buyer, 'confirm-delivery')).toMatchObject({ body: { status: 'inspection' } })
    expect(await escrow.act(deal.id, deal.buyer, 'accept')).toMatchObject({ body: { status: 'completed' } })
  })

  it('ends the system’s dispute when its seller refunds', async () => {
    const deal = await overdue()
    const seen = await escrow.request('GET', `/internal/transactions/${deal.id}`, { actor: deal.seller })
    expect(seen.body).toMatchObject({ status: 'disputed', actions: ['refund'] })
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ body: { status: 'cancelled' } })
    expect(await escrow.entries(deal.id)).toEqual(['charge', 'refund'])
  })

  it('stays in a dispute that a party filed: a delivery, the buyer and the seller do not end it', async () => {
    const deal = await shipped()
    await escrow.dispute(deal.id, 'freeze', 71, deal.buyer.id)
    await escrow.carrierDelivers(`L${deal.id}`)
    expect(await escrow.act(deal.id, deal.buyer, 'confirm-delivery')).toMatchObject({ status: 409 })
    expect(await escrow.act(deal.id, deal.seller, 'refund')).toMatchObject({ status: 409 })
    expect(await escrow.status(deal.id)).toBe('disputed')
  })
})
