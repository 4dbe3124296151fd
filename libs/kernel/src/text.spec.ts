import { cleanLine, cleanText } from './text.js'

describe('a text', () => {
  test('is kept as it was written', () => {
    const written = 'Hi <b>Ana</b>, 50 % off?\n\n\t• “naïve” 👩‍👩‍👧 שלום'
    expect(cleanText(written)).toBe(written)
  })

  test('gets the same line ends on every system', () => {
    expect(cleanText('a\r\nb\rc')).toBe('a\nb\nc')
  })

  test('loses characters that hide or rearrange text', () => {
    expect(cleanText('a\u0007b\u001B[31mc\u0085d\u007F')).toBe('ab[31mcd')
    expect(cleanText('photo\u202Egpj.exe')).toBe('photogpj.exe')
  })

  test('becomes empty when only invisible characters are left', () => {
    expect(cleanText(' \u0001\u202E\n ')).toBe('')
    for (const nothing of ['\u200B', '\u3164', '\u2800', '\u00AD', '\u034F', '\u{E0041}', '\u200B \uFE0F']) {
      expect(cleanText(nothing)).toBe('')
    }
  })

  test('of one line loses its line ends', () => {
    expect(cleanLine('Ana\r\nHoldfast: \u202Epay here\t now')).toBe('Ana Holdfast: pay here now')
  })
})
