import { versionOf } from './listing-row.js'

describe('If-Match', () => {
  it.each([
    [undefined, null],
    ['*', null],
    ['"7-2"', 7],
    ['W/"7-2"', 7],
    ['"seven"', -1],
    ['', -1],
  ])('%j names the version %s', (header, version) => {
    expect(versionOf(header)).toBe(version)
  })
})
