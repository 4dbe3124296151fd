import { describe, expect, it } from '@jest/globals'
import { isNoneMatch } from './etag.js'
import { versionOf } from './listings/listing-row.js'

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
