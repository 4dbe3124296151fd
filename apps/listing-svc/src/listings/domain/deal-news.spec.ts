import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { afterDealNews, type DealNews } from './deal-news.js'

type Followed = Parameters<typeof afterDealNews>[0]

function follow(news: readonly DealNews[], withdrawn = false, counterpartyId: string | null = null): Followed {
  const status = withdrawn ? 'inactive' : 'active'
  let listing: Followed = { status, withdrawn, counterpartyId, transactionId: null }
  for (const each of news) listing = { ...listing, ...afterDealNews(listing, each) }
  return listing
}

const opened = (transactionId: number): DealNews => ({ transactionId, outcome: 'opened' })
const ends = ['completed', 'cancelled-unfunded', 'cancelled-funded'] as const

describe('a listing and the news of its deals', () => {
  it.each([
    ['completed', false, 'sold'],
    ['cancelled-unfunded', false, 'active'],
    ['cancelled-unfunded', true, 'inactive'],
    ['cancelled-funded', false, 'inactive'],
  ] as const)('after %s (withdrawn: %s) is %s', (outcome, withdrawn, status) => {
    expect(follow([opened(1)], withdrawn).status).toBe('reserved')
    expect(follow([opened(1), { transactionId: 1, outcome }], withdrawn).status).toBe(status)
  })

  it('made for a counterparty is off sale when nobody paid', () => {
    expect(follow([opened(1), { transactionId: 1, outcome: 'cancelled-unfunded' }], false, 'ben').status).toBe(
      'inactive',
    )
  })

  it('is where its newest deal left it, however the news of two deals are interleaved', () => {
    const both = fc.record({
      first: fc.constantFrom(...ends.slice(1)),
      second: fc.constantFrom(...ends),
      turns: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      withdrawn: fc.boolean(),
    })
    fc.assert(
      fc.property(both, ({ first, second, turns, withdrawn }) => {
        const queues: DealNews[][] = [
          [opened(1), { transactionId: 1, outcome: first }],
          [opened(2), { transactionId: 2, outcome: second }],
        ]
        const interleaved = turns.flatMap(turn => queues[turn ? 0 : 1]!.shift() ?? [])
        const all = [...interleaved, ...queues[0]!, ...queues[1]!]
        const inOrder = [...all].sort((a, b) => a.transactionId - b.transactionId)
        expect(follow(all, withdrawn).status).toBe(follow(inOrder, withdrawn).status)
      }),
    )
  })

  it('does not change by any of them told again after the end', () => {
    const told = fc.constantFrom<DealNews>(opened(1), ...ends.map(outcome => ({ transactionId: 1, outcome })))
    fc.assert(
      fc.property(fc.constantFrom(...ends), fc.array(told, { maxLength: 4 }), (outcome, again) => {
        const over = follow([opened(1), { transactionId: 1, outcome }])
        expect(again.map(news => afterDealNews(over, news))).toEqual(again.map(() => null))
      }),
    )
  })
})
