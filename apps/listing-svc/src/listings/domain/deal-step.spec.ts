import fc from 'fast-check'
import { afterDealStep, type DealStep } from './deal-step.js'

type Followed = Parameters<typeof afterDealStep>[0]

function follow(steps: readonly DealStep[], withdrawn = false, counterpartyId: string | null = null): Followed {
  const status = withdrawn ? 'inactive' : 'active'
  let listing: Followed = { status, withdrawn, counterpartyId, transactionId: null }
  for (const each of steps) listing = { ...listing, ...afterDealStep(listing, each) }
  return listing
}

const opened = (transactionId: number): DealStep => ({ transactionId, name: 'opened' })
const ends = ['completed', 'cancelled-unfunded', 'cancelled-funded'] as const

describe('a listing with deals', () => {
  it.each([
    ['completed', false, 'sold'],
    ['cancelled-unfunded', false, 'active'],
    ['cancelled-unfunded', true, 'inactive'],
    ['cancelled-funded', false, 'inactive'],
  ] as const)('after %s (withdrawn: %s) is %s', (name, withdrawn, status) => {
    expect(follow([opened(1)], withdrawn).status).toBe('reserved')
    expect(follow([opened(1), { transactionId: 1, name }], withdrawn).status).toBe(status)
  })

  it('made for a counterparty is off sale when its deal was cancelled unpaid', () => {
    expect(follow([opened(1), { transactionId: 1, name: 'cancelled-unfunded' }], false, 'ben').status).toBe('inactive')
  })

  /** The end of a deal, and whether the listing was withdrawn before it. */
  const STATUS_AFTER = {
    completed: () => 'sold',
    'cancelled-unfunded': (withdrawn: boolean) => (withdrawn ? 'inactive' : 'active'),
    'cancelled-funded': () => 'inactive',
  } as const

  it('has the status of its newest deal, in every order in which the steps of two deals arrive', () => {
    const both = fc.record({
      first: fc.constantFrom(...ends.slice(1)),
      second: fc.constantFrom(...ends),
      turns: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      withdrawn: fc.boolean(),
    })
    fc.assert(
      fc.property(both, ({ first, second, turns, withdrawn }) => {
        const queues: DealStep[][] = [
          [opened(1), { transactionId: 1, name: first }],
          [opened(2), { transactionId: 2, name: second }],
        ]
        const interleaved = turns.flatMap(turn => queues[turn ? 0 : 1]!.shift() ?? [])
        const all = [...interleaved, ...queues[0]!, ...queues[1]!]
        expect(follow(all, withdrawn).status).toBe(STATUS_AFTER[second](withdrawn))
      }),
    )
  })

  it('does not change when a step of a deal that has ended is delivered again', () => {
    const repeated = fc.constantFrom<DealStep>(opened(1), ...ends.map(name => ({ transactionId: 1, name })))
    fc.assert(
      fc.property(fc.constantFrom(...ends), fc.array(repeated, { maxLength: 4 }), (name, again) => {
        const ended = follow([opened(1), { transactionId: 1, name }])
        expect(again.map(step => afterDealStep(ended, step))).toEqual(again.map(() => null))
      }),
    )
  })
})
