import { FiringAttempts } from './firing-attempts.js'

describe('attempts at a deadline', () => {
  it('are allowed at once, then after 5 s, 10 s, 20 s, and at the latest after 5 minutes', () => {
    const attempts = new FiringAttempts()
    let now = 1_000_000
    const pauses: number[] = []
    for (let nth = 0; nth < 9; nth++) {
      expect(attempts.mayTry('1', now)).toBe(true)
      attempts.note('1', now)
      const noted = now
      while (!attempts.mayTry('1', now)) now += 1_000
      pauses.push((now - noted) / 1_000)
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300])
  })

  it('are counted by row and due time', () => {
    const attempts = new FiringAttempts()
    attempts.note('1-1000', 0)
    expect(attempts.mayTry('1-1000', 1)).toBe(false)
    expect(attempts.mayTry('1-2000', 1)).toBe(true)
    expect([attempts.pausing(1), attempts.pausing(9_999)]).toEqual([1, 0])
  })

  it('are remembered up to a limit', () => {
    const attempts = new FiringAttempts()
    for (let nth = 0; nth < 5_001; nth++) attempts.note(String(nth), 0)
    expect(attempts.pausing(1)).toBe(5_000)
    expect(attempts.mayTry('0', 1)).toBe(true)
  })
})
