import { newId, UUID_PATTERN, uuidv7From } from './ids.js'

describe('ids', () => {
  it('are UUIDs of version 7 that begin with their time', () => {
    const id = uuidv7From(0x0123456789ab, new Uint8Array(10).fill(0xff))
    expect(id).toBe('01234567-89ab-7fff-bfff-ffffffffffff')
    expect(newId()).toMatch(UUID_PATTERN)
  })

  it('increase within a millisecond and are unique', () => {
    const ids = Array.from({ length: 20_000 }, () => newId(1_764_000_000_000))
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('increase when the clock steps back', () => {
    const before = newId(1_999_000_000_000)
    expect(newId(1_998_000_000_000) > before).toBe(true)
  })
})
