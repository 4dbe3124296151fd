import { describe, expect, test } from '@jest/globals'
import { cleanContent } from './clean-content.js'

describe('the content of a message', () => {
  test('is kept as it was written', () => {
    const written = 'Hi <b>Ana</b>, 50 % off?\n\n\t• “naïve” 👩‍👩‍👧 שלום'
    expect(cleanContent(written)).toBe(written)
  })

  test('has one kind of line end', () => {
    expect(cleanContent('a\r\nb\rc')).toBe('a\nb\nc')
  })

  test('loses what would hide or rearrange it', () => {
    expect(cleanContent('a\u0007b\u001B[31mc\u0085d\u007F')).toBe('ab[31mcd')
    expect(cleanContent('photo\u202Egpj.exe')).toBe('photogpj.exe')
  })

  test('is empty when nothing readable is left', () => {
    expect(cleanContent(' \u0001\u202E\n ')).toBe('')
  })
})
