import { RunningEscrow } from '../../test/running-escrow.js'
import { DealsService } from '../deals/deals.service.js'
import { CarrierClient } from './carrier.client.js'
import { ParcelsService } from './parcels.service.js'

const HOUR_MS = 3_600_000

describe('a delivery that the carrier reports', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(() => escrow.stop())

  async function shipped(trackingNumber: string) {
    const deal = await escrow.paid()
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber })
    return deal
  }

  it('starts the inspection once, however often it is reported, and not if it is older than the payment', async () => {
    const deal = await shipped('TWICE1')
    await escrow.carrierDelivers('TWICE1', new Date(Date.now() - HOUR_MS))
    expect(await escrow.status(deal.id)).toBe('shipped')
    const answers = await Promise.all([1, 2, 3].map(() => escrow.carrierDelivers('TWICE1')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await escrow.status(deal.id)).toBe('inspection')
    expect(await escrow.violations()).toEqual([])
  })

  it('is not believed when it is dated in the future, and does not hide the true one', async () => {
    const deal = await shipped('FUTURE1')
    expect(await escrow.carrierDelivers('FUTURE1', new Date('2999-01-01'))).toMatchObject({ status: 200 })
    expect(await escrow.status(deal.id)).toBe('shipped')
    const parcel = 'SELECT status, last_update, delivered_at, counted_scan FROM escrow.parcel WHERE transaction_id = $1'
    expect(await escrow.row(parcel, [deal.id])).toEqual({
      ...{ status: null, last_update: null, delivered_at: null, counted_scan: null },
    })
    await escrow.carrierDelivers('FUTURE1')
    expect(await escrow.status(deal.id)).toBe('inspection')
  })

  it('counts at once when it is dated in the time zone of the carrier, and is recorded as of now', async () => {
    const deal = await shipped('SYDNEY1')
    await escrow.carrierDelivers('SYDNEY1', new Date(Date.now() + 11 * HOUR_MS))
    expect(await escrow.status(deal.id)).toBe('inspection')
    const recorded = `SELECT last_update <= now() AND delivered_at <= now() AS "isPast",
      last_update > deal.paid_at AND delivered_at > deal.paid_at AS "isOfDeal"
      FROM escrow.parcel JOIN escrow.transaction deal ON deal.id = transaction_id WHERE transaction_id = $1`
    expect(await escrow.row(recorded, [deal.id])).toEqual({ isPast: true, isOfDeal: true })
  })

  it('keeps the time at which it was first reported when it is dated ahead and reported again', async () => {
    const deal = await shipped('SYDNEY3')
    await escrow.dispute(deal.id, 'freeze', 3, deal.buyer.id)
    const scannedAt = new Date(Date.now() + 11 * HOUR_MS)
    const report = async () => {
      await escrow.carrierDelivers('SYDNEY3', scannedAt)
      return escrow.row('SELECT last_update, delivered_at FROM escrow.parcel WHERE transaction_id = $1', [deal.id])
    }
    expect(await report()).toEqual(await report())
  })

  it('counts for one deal when it is dated ahead and a later deal has its tracking number', async () => {
    const scannedAt = new Date(Date.now() + 11 * HOUR_MS)
    const first = await shipped('SYDNEY 2')
    await escrow.carrierDelivers('SYDNEY2', scannedAt)
    await escrow.act(first.id, first.buyer, 'accept')
    expect(await escrow.status(first.id)).toBe('completed')
    const second = await shipped('SYDNEY 2')
    await escrow.carrierDelivers('SYDNEY2', scannedAt)
    expect(await escrow.status(second.id)).toBe('shipped')
  })

  it('counts when it lies between the payment and the time at which the seller saved the number', async () => {
    const deal = await escrow.paid()
    const scannedAt = new Date()
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: 'EARLY1' })
    await escrow.carrierDelivers('EARLY1', scannedAt)
    expect(await escrow.status(deal.id)).toBe('inspection')
  })

  it('does not count for a deal whose tracking number was corrected in the meantime', async () => {
    const deal = await shipped('WRONG1')
    await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: 'RIGHT1' })
    // A tab that has not heard of the correction sends the old number with another carrier.
    const stale = { trackingNumber: 'WRONG1', carrier: 'UPS', changed: ['carrier'] }
    expect((await escrow.act(deal.id, deal.seller, 'tracking', stale)).status).toBe(200)
    const parcel = { trackingNumber: 'WRONG1', scannedAt: new Date(), carrier: 'UPS' }
    expect(await escrow.service.app.get(DealsService).recordDelivery(deal.id, parcel)).toBeNull()
    expect(await escrow.status(deal.id)).toBe('shipped')
  })

  it('counts for the deal that had the tracking number first, even if others spell the number differently', async () => {
    const first = await shipped('SHARED 1')
    const second = await shipped('shared-1')
    await escrow.carrierDelivers('SHARED1')
    expect([await escrow.status(first.id), await escrow.status(second.id)]).toEqual(['inspection', 'shipped'])
    // The same after the first deal has ended: the parcel belonged to that deal.
    await escrow.act(first.id, first.buyer, 'accept')
    await escrow.carrierDelivers('SHARED1')
    await escrow.carrierDelivers('SHARED1', new Date(Date.now() + 60_000))
    expect(await escrow.status(second.id)).toBe('shipped')
    await escrow.act(second.id, second.buyer, 'confirm-delivery')
    expect(await escrow.status(second.id)).toBe('inspection')
  })

  it('counts for no other deal when the buyer of the first has confirmed the delivery already', async () => {
    const [first, second] = [await escrow.paid({ inspectionDays: 0 }), await escrow.paid({ inspectionDays: 0 })]
    for (const deal of [first, second])
      await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: 'HANDED 1' })
    await escrow.act(first.id, first.buyer, 'confirm-delivery')
    expect(await escrow.status(first.id)).toBe('completed')
    await escrow.carrierDelivers('HANDED1')
    expect(await escrow.status(second.id)).toBe('shipped')
  })

  it('counts for one of many deals whose sellers save the same tracking number at the same time', async () => {
    const deals = await Promise.all(Array.from({ length: 8 }, () => escrow.paid()))
    await Promise.all(deals.map(deal => escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: 'SAME 8' })))
    await Promise.all(deals.map(() => escrow.carrierDelivers('SAME8')))
    const statuses = await Promise.all(deals.map(deal => escrow.status(deal.id)))
    expect(statuses.sort()).toEqual(['inspection', ...Array<string>(7).fill('shipped')])
  })

  it('does not end the polling when it is an old delivery of a reused tracking number', async () => {
    const deal = await shipped('AGAIN1')
    await escrow.carrierDelivers('AGAIN1', new Date(Date.now() - 90 * 86_400_000))
    const { due } = await escrow.row<{ due: boolean }>(
      'SELECT poll_at IS NOT NULL AS due FROM escrow.parcel WHERE transaction_id = $1',
      [deal.id],
    )
    expect(due).toBe(true)
    await escrow.carrierDelivers('AGAIN1')
    expect(await escrow.status(deal.id)).toBe('inspection')
  })

  it('needs a signature: requests without one, without a body or with a wrong one are refused alike', async () => {
    for (const path of ['/api/webhooks/carrier', '/api/webhooks/stripe']) {
      for (const request of [{}, { body: '{}' }, { headers: { 'x-hmac-signature': 'hmac-sha256-hex=00' } }]) {
        const { status, body } = await escrow.request<{ code?: string }>('POST', path, request)
        expect([path, status, body.code]).toEqual([path, 400, 'WEBHOOK_SIGNATURE_INVALID'])
      }
    }
  })

  it('does not count during a dispute, and counts once the dispute is withdrawn', async () => {
    const deal = await shipped('KEPT1')
    await escrow.dispute(deal.id, 'freeze', 1, deal.buyer.id)
    await escrow.carrierDelivers('KEPT1')
    expect(await escrow.status(deal.id)).toBe('disputed')
    await escrow.dispute(deal.id, 'resume', 1)
    expect(await escrow.status(deal.id)).toBe('shipped')
    // The carrier is polled again and still reports the delivery.
    const carrier = escrow.service.app.get(CarrierClient)
    const at = new Date().toISOString()
    Object.assign(carrier, {
      find: async () => ({
        ...{ id: 'trk_KEPT1', trackingNumber: 'KEPT1', carrier: 'UPS', status: 'delivered', description: 'Delivered' },
        ...{ location: null, estimatedDelivery: null, lastUpdate: new Date(at), deliveredAt: new Date(at) },
      }),
    })
    const { due } = await escrow.row<{ due: boolean }>(
      'SELECT poll_at IS NOT NULL AS due FROM escrow.parcel WHERE transaction_id = $1',
      [deal.id],
    )
    expect(due).toBe(true)
    await escrow.database.admin.query('UPDATE escrow.parcel SET poll_at = now() WHERE transaction_id = $1', [deal.id])
    await escrow.service.app.get(ParcelsService).poll(deal.id)
    expect(await escrow.status(deal.id)).toBe('inspection')
  })

  describe('about a number that was wrong', () => {
    const estimatedDelivery = new Date('2030-01-02T00:00:00.000Z')

    /** The seller corrects the number while the carrier is asked about one that begins with `LATE` or `REFUSED`. */
    async function shippedAs(wrong: string) {
      const deal = await escrow.paid()
      const correct = () => escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: `RIGHT OF ${wrong}` })
      const track = async (trackingNumber: string) => {
        if (trackingNumber.startsWith('LATE') || trackingNumber.startsWith('REFUSED')) await correct()
        if (trackingNumber.startsWith('REFUSED')) throw new Error('the carrier answered 422')
        return {
          ...{ id: trackingNumber, trackingNumber, carrier: 'UPS', status: 'in_transit', description: 'Moving' },
          ...{ location: null, lastUpdate: new Date(), deliveredAt: null },
          estimatedDelivery: trackingNumber === wrong ? estimatedDelivery : null,
        }
      }
      Object.assign(escrow.service.app.get(CarrierClient), { track, find: track })
      await escrow.act(deal.id, deal.seller, 'tracking', { trackingNumber: wrong })
      return { id: deal.id, correct }
    }
    const parcels = () => escrow.service.app.get(ParcelsService)
    const expected = async (id: number) =>
      (
        await escrow.row<{ at: Date | null }>('SELECT expected_delivery AS at FROM escrow.transaction WHERE id = $1', [
          id,
        ])
      ).at

    it('says no longer when the parcel is expected, once the number is corrected', async () => {
      const deal = await shippedAs('WRONG2')
      await parcels().ask(deal.id)
      expect(await expected(deal.id)).toEqual(estimatedDelivery)
      await deal.correct()
      expect(await expected(deal.id)).toBeNull()
    })

    it('does not say so either when the answer comes after the correction', async () => {
      const deal = await shippedAs('LATE1')
      await parcels().ask(deal.id)
      expect(await expected(deal.id)).toBeNull()
    })

    it('is no fault of the corrected one when the carrier refuses it after the correction', async () => {
      const deal = await shippedAs('REFUSED1')
      await parcels().poll(deal.id)
      const parcel = 'SELECT tracking_number AS number, attempts FROM escrow.parcel WHERE transaction_id = $1'
      expect(await escrow.row(parcel, [deal.id])).toEqual({ number: 'RIGHT OF REFUSED1', attempts: 0 })
    })
  })
})
