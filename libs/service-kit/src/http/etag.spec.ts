import { isNoneMatch } from './etag.js'

describe('If-None-Match', () => {
  it.each([
    ['"1-2"', true],
    ['W/"1-2"', true],
    ['"0-0", W/"1-2" ', true],
    ['*', true],
    ['"1-3"', false],
    ['1-2', false],
    ['', false],
    [undefined, false],
  ])('%j matches "1-2": %s', (header, matches) => {
    expect(isNoneMatch(header, '"1-2"')).toBe(matches)
  })
})
