import { expect, it } from 'vitest'
import { faultsOfDeals } from './verdict.js'

it('a kind of which no command succeeded is wrong', async () => {
  const query = async statement => ({ rows: typeof statement === 'string' ? [{ late: 0 }] : [] })
  expect(await faultsOfDeals({ query }, { bought: { entry: 'charge', ids: [] } })).toEqual([
    'bought: no command succeeded',
  ])
})
