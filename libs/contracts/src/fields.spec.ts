import { RESERVED_NAME } from '@holdfast/names/names'
import { AmountText, line, optionalLine, optionalText, PageQuery, personName, text } from './fields.js'
import { OwnNames } from './users.js'

describe('a text that other users read', () => {
  test('loses characters that hide or rearrange it', () => {
    expect(line(60).parse(' Ana\n\u202EHoldfast\u0007 Support ')).toBe('Ana Holdfast Support')
    expect(optionalLine(60).parse('Halifax\r\nNS\u2066')).toBe('Halifax NS')
    expect(text(60).parse('One\r\n\r\nTwo\u202E')).toBe('One\n\nTwo')
  })

  test('is refused when the marks of a letter would cover the lines above and below', () => {
    const stacked = `Lamp${'\u0301'.repeat(30)}`
    for (const schema of [line(60), optionalLine(60), text(60), optionalText(60, 'Required')]) {
      expect(schema.safeParse(stacked).error?.issues[0]?.message).toBe('Has too many marks on one letter')
      expect(schema.parse('Nguyễn’s lamp')).toBe('Nguyễn’s lamp')
    }
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

describe('a person’s name', () => {
  test('that is far too long, or a username with a wrong sign, is looked at no further: that would take long', () => {
    const messagesOf = (change: object) =>
      OwnNames.safeParse({ firstName: 'Ana', lastName: 'Lee', username: 'ana', ...change }).error?.issues.map(
        ({ message }) => message,
      )
    expect(messagesOf({ firstName: `Holdfast \u202E${'x \u0301'.repeat(50_000)}` })).toEqual(['At most 60 characters'])
    expect(messagesOf({ firstName: 'Holdfast' })).toEqual([RESERVED_NAME])
    expect(messagesOf({ username: `admin!${'x'.repeat(100_000)}` })).toEqual([
      expect.stringMatching(/^3 to 30 letters/),
    ])
  })

  test('is no address: it would stand in mails to others, and be found in place of the person who has the address', () => {
    for (const address of ['ana@example.com', 'Win at https://evil.example', 'WWW.evil.example'])
      expect(personName(60).safeParse(address).error?.issues[0]?.message).toBe('Must be a name, not an address')
    for (const name of ['J.R.R.', 'St.John', 'Ana-Lucía', "O'Neil", 'Awww'])
      expect(personName(60).parse(name)).toBe(name)
  })
})

describe('a number in a query', () => {
  const fields = (query: object) => [...new Set(PageQuery.safeParse(query).error?.issues.map(({ path }) => path[0]))]

  test('is written in digits alone', () => {
    expect(PageQuery.parse({ limit: '20', before: '9007199254740991' })).toEqual({
      limit: 20,
      before: Number.MAX_SAFE_INTEGER,
    })
    expect(PageQuery.parse({ limit: 20 })).toEqual({ limit: 20 })
    for (const bad of [
      '1e1',
      '0x10',
      ' 5',
      '5 ',
      '+5',
      '-5',
      '05',
      '5.0',
      '',
      'Infinity',
      '9007199254740993',
      true,
      null,
    ]) {
      expect(fields({ limit: bad })).toEqual(['limit'])
      expect(fields({ before: bad })).toEqual(['before'])
    }
  })

  test('is refused when it is an amount with a sign, a space or an exponent', () => {
    expect(AmountText.parse('1200.50')).toBe('1200.50')
    for (const bad of ['1e3', '0x10', ' 5', '5 ', '+5', '-5', '']) expect(AmountText.safeParse(bad).success).toBe(false)
  })
})
