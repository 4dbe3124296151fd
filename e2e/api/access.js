import assert from 'node:assert/strict'
import { meetActors } from '../access/actors.js'
import { askForeignSites } from '../access/foreign-sites.js'
import { askActs, askRefusals } from '../access/matrix.js'
import { makeRecords } from '../access/records.js'
import { askServices } from '../access/services.js'
import { Deal } from '../support/deal.js'
import { findMediator } from '../support/demo.js'
import { SERVICE_PORTS } from '../support/environment.js'
import { LiveEvents } from '../support/live-events.js'
import { Person } from '../support/person.js'
import { journey } from '../support/runner.js'

/** More than this many lines say no more about what is wrong. */
const SHOWN = 40
const assertNone = faults =>
  assert.equal(faults.length, 0, `${faults.length} faults:\n${faults.slice(0, SHOWN).join('\n')}`)

export const access = [
  journey(
    'each route answers everybody as its declared access says, on their own, on another’s and on no record, and shows nothing else',
    async () => {
      const actors = await meetActors()
      const records = await makeRecords(actors)
      const { buyer, stranger } = actors
      const [before, ofBuyer, ofStranger] = await Promise.all([
        records.deal.seenBy(buyer),
        LiveEvents.of(buyer),
        LiveEvents.of(stranger),
      ])
      const refusals = await askRefusals(actors, records)
      assertNone(refusals.faults)
      assert.deepEqual(await records.deal.seenBy(buyer), before, 'nobody who was refused has changed the deal')
      const acts = await askActs(actors, records)
      assertNone(acts.faults)
      await ofBuyer.receives(
        'the buyer’s stream has the event of the seller’s refund, which ends the deal',
        ({ transactionId, type }) => transactionId === records.deal.id && type === 'escrow.transaction.cancelled.v1',
      )
      const { id } = await Deal.open({}, { buyer: stranger })
      await ofStranger.receives(
        'a stranger’s stream has the events of their own deal',
        event => event.transactionId === id,
      )
      ofBuyer.stop()
      ofStranger.stop()
      const about = ofStranger.received.filter(({ transactionId }) => transactionId === records.deal.id)
      assert.deepEqual(about, [], 'a stranger’s stream has no event of the deal')
      process.stdout.write(`      ${refusals.cells + acts.cells} requests\n`)
      assert.deepEqual(actors.signInsOfSuspended, ['ACCOUNT_SUSPENDED', 'INVALID_CREDENTIALS'])
    },
  ),

  journey('every write that a page of another site sends is refused, whichever route it is for', async () => {
    const [buyer, admin] = await Promise.all([Person.signUp('Bea'), findMediator()])
    assertNone(await askForeignSites({ buyer, admin }))
  }),

  journey(
    'no internal route can be called from outside, and no service answers a call that no service has signed',
    async () => {
      assertNone(await askServices(SERVICE_PORTS))
    },
  ),
]
