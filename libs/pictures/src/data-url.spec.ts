import { dataUrlBytes, decodeDataUrl } from './data-url.js'

const urlOf = (bytes: Buffer | string) =>
  `data:image/png;base64,${typeof bytes === 'string' ? bytes : bytes.toString('base64')}`

describe('a data URL', () => {
  it.each([0, 1, 2, 3, 4, 5, 1000])('of %i bytes is measured without decoding, and decoded exactly', length => {
    const bytes = Buffer.alloc(length, 0xab)
    expect(dataUrlBytes(urlOf(bytes))).toBe(length)
    expect(decodeDataUrl(urlOf(bytes))).toEqual(bytes)
  })

  it('may leave out the padding', () => {
    expect(decodeDataUrl(urlOf('q6s'))).toEqual(Buffer.from([0xab, 0xab]))
  })

  it.each(['a', 'ab*d', 'abc d', 'ab==cd==', 'abcd=', 'a===', '<svg/>'])('with the base64 %j is malformed', text => {
    expect(decodeDataUrl(urlOf(text))).toBeNull()
  })

  it.each(['data:text/html;base64,AAAA', 'data:image/png,AAAA', 'https://example.test/x.png', ''])(
    'is not %j',
    text => {
      expect(dataUrlBytes(text)).toBeNull()
      expect(decodeDataUrl(text)).toBeNull()
    },
  )
})
