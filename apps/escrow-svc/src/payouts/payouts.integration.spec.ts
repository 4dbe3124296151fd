import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { RunningEscrow } from '../../test/running-escrow.js'
import { CLOSED_BANK, GOOD_BANK, SellerPayouts } from '../../test/seller-payouts.js'

/** A seller's net of 100.00: the price less their fee of 1.5 %. */
const NET = '98.50'

describe('a payout', () => {
  let escrow: RunningEscrow
  let payouts: SellerPayouts

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
    payouts = new SellerPayouts(escrow)
  })
  afterAll(() => escrow.stop())

  const entriesOf = async (id: string) =>
    (
      await escrow.database.admin.query<{ kind: string }>(
        `SELECT DISTINCT e.kind, e.at, e.id FROM escrow.journal_entry e JOIN escrow.posting p ON p.entry_id = e.id
         WHERE $1 IN (p.debit, p.credit) ORDER BY e.at, e.id`,
        [`payout_in_transit:${id}`],
      )
    ).rows.map(({ kind }) => kind)
  const eventsOf = async (id: string) =>
    (
      await escrow.database.admin.query<{ type: string }>(
        `SELECT type FROM (SELECT type, key, id AS n, 1 AS part FROM escrow.outbox
           UNION ALL SELECT type, key, position, 0 FROM events.log) e WHERE key = $1 ORDER BY part, n`,
        [id],
      )
    ).rows.map(({ type }) => type)

  it('brings the whole balance to the bank, names its deals, and is shown as paid only when the bank has it', async () => {
    const seller = await payouts.seller()
    const first = await payouts.sell(seller)
    const second = await payouts.sell(seller, '33.33')
    expect((await payouts.overview(seller)).body).toMatchObject({ available: '131.33', hold: null, paid: '0.00' })

    const { status, body: payout } = await payouts.request(seller)
    expect(status).toBe(201)
    expect(payout).toMatchObject({ amount: '131.33', status: 'scheduled', bankLabel: 'Test Bank ····6789' })
    expect(payout.deals).toEqual([
      { transactionId: second.id, title: 'Camera', amount: '32.83' },
      { transactionId: first.id, title: 'Camera', amount: NET },
    ])
    await payouts.send(payout.id)
    expect((await payouts.overview(seller)).body).toMatchObject({
      available: '0.00',
      inTransit: '131.33',
      hold: 'nothing_available',
      payouts: [{ id: payout.id, status: 'in_transit' }],
    })
    await payouts.atBank(payout.id, 'settle')
    await payouts.sendEvents('payout.')
    expect((await payouts.overview(seller)).body).toMatchObject({
      inTransit: '0.00',
      paid: '131.33',
      payouts: [{ id: payout.id, status: 'paid', arrivedAt: expect.any(String) }],
    })
    expect(await entriesOf(payout.id)).toEqual(['payout_sent', 'payout_paid'])
    await eventually(async () => (await eventsOf(payout.id)).length === 2)
    expect(await eventsOf(payout.id)).toEqual(['escrow.payout.sent.v1', 'escrow.payout.paid.v1'])
    expect(await escrow.violations()).toEqual([])
  })
})
