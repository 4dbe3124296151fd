import { describe, expect, test } from '@jest/globals'
import { line, optionalLine, text } from './fields.js'

describe('a text that other users read', () => {
  test('loses characters that hide or rearrange it', () => {
    expect(line(60).parse(' Ana\n\u202EHoldfast\u0007 Support ')).toBe('Ana Holdfast Support')
    expect(optionalLine(60).parse('Halifax\r\nNS\u2066')).toBe('Halifax NS')
    expect(text(60).parse('One\r\n\r\nTwo\u202E')).toBe('One\n\nTwo')
  })

  test('is refused when it shows nothing', () => {
    for (const blank of ['', '  ', '\u200B', '\u3164', '\u202E\u202D']) {
      expect(line(60).safeParse(blank).error?.issues[0]?.message).toBe('Required')
      expect(text(60, 'Say what happened').safeParse(blank).error?.issues[0]?.message).toBe('Say what happened')
    }
    expect(optionalLine(60).parse('\u200B')).toBe('')
  })

  test('is measured after it was cleaned', () => {
    expect(line(3).parse('abc\u0000')).toBe('abc')
    expect(line(3).safeParse('abcd').success).toBe(false)
  })
})
