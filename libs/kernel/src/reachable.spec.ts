import { reachable } from './reachable.js'

const MOVES = [
  { from: ['open'], to: ['asked', 'closed'] },
  { from: ['asked'], to: ['open'] },
  { from: ['forgotten'], to: ['closed'] },
]

describe('the reachable states', () => {
  it('are those to which moves lead one after the other, also where they lead back', () => {
    expect([...reachable(MOVES, 'open')].sort()).toEqual(['asked', 'closed', 'open'])
  })

  it('are only the state itself where no move begins', () => {
    expect([...reachable(MOVES, 'closed')]).toEqual(['closed'])
  })
})
