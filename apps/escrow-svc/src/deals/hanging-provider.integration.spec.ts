import { eventually } from '@holdfast/testing/eventually'
import { RunningEscrow } from '../../test/running-escrow.js'

/** More payment windows than one source may end at the same time. */
const HANGING = 20
const FAULTS = 1_000
/** The sweeper looks every 5 seconds for deadlines that are 2 seconds late; the rest is for a busy machine. */
const ON_TIME_MS = 12_000

describe('while the payment provider answers nothing', () => {
  let escrow: RunningEscrow

  beforeAll(async () => {
    escrow = await RunningEscrow.start()
  })
  afterAll(async () => {
    await escrow.dependencies.control('/faults', {}, 'DELETE')
    await escrow.stop()
  })

  /** How many calls to the provider are still to be delayed. */
  const faultsLeft = async () => {
    const answer = await fetch(`${escrow.dependencies.origin}/sandbox/faults`)
    return ((await answer.json()) as { times: number }[])[0]?.times ?? 0
  }
  const becomesDue = (id: number) =>
    escrow.database.admin.query('UPDATE escrow.transaction SET due_at = now() WHERE id = $1', [id])

  it('an inspection and a ship-by date end on time', async () => {
    const inspected = await escrow.inInspection()
    const unshipped = await escrow.paid()
    const unpaid = await Promise.all(Array.from({ length: HANGING }, () => escrow.open()))
    for (const deal of unpaid) await escrow.beginPayment(deal)
    await escrow.dependencies.control('/faults', { kind: 'delay', path: '/cancel', times: FAULTS, delayMs: 30_000 })
    for (const { id } of unpaid) await becomesDue(id)
    await eventually(async () => (await faultsLeft()) <= FAULTS - 8, 20_000)
    await becomesDue(inspected.id)
    await becomesDue(unshipped.id)
    const due = Date.now()
    await eventually(async () => (await escrow.status(inspected.id)) === 'completed', ON_TIME_MS)
    await eventually(async () => (await escrow.status(unshipped.id)) === 'cancelled', ON_TIME_MS)
    expect(Date.now() - due).toBeLessThan(ON_TIME_MS)
    expect(await Promise.all(unpaid.map(({ id }) => escrow.status(id)))).toEqual(unpaid.map(() => 'pending'))
    expect(await escrow.violations()).toEqual([])
  })
})
