import { decodeForm } from './form.js'
import { hashOfParams } from './idempotency.js'

describe('a form', () => {
  it('nests by brackets, and numbers make an array', () => {
    expect(decodeForm('amount=5&card[number]=4242&expand[]=a&expand[]=b&x[0][y]=1&x[1][y]=2&metadata[order]=')).toEqual(
      {
        amount: '5',
        card: { number: '4242' },
        expand: ['a', 'b'],
        x: [{ y: '1' }, { y: '2' }],
        metadata: { order: '' },
      },
    )
  })

  it('decodes what the SDK encodes', () => {
    expect(decodeForm('description=a%20%26%20b&metadata%5Bk%5D=%E2%82%AC')).toEqual({
      description: 'a & b',
      metadata: { k: '€' },
    })
  })

  it.each(['a[b=1', 'a]=1', '[a]=1', 'a[constructor]=1', `a${'[b]'.repeat(9)}=1`, 'a=1&a[b]=2', 'a[b]=2&a=1'])(
    'refuses %s',
    text => {
      expect(() => decodeForm(text)).toThrow(/Invalid (parameter name|object)/)
    },
  )

  it('is refused when it has too many fields', () => {
    expect(() => decodeForm(Array.from({ length: 1_001 }, (_, i) => `f${i}=1`).join('&'))).toThrow(/Too many/)
  })
})

describe('the hash of parameters', () => {
  it('is the same in any order and another for any other value', () => {
    expect(hashOfParams('a=1&b=2')).toBe(hashOfParams('b=2&a=1'))
    expect(hashOfParams('a=1&b=2')).not.toBe(hashOfParams('a=2&b=1'))
    expect(hashOfParams('a=1&b=2')).not.toBe(hashOfParams('a=1&b=2&c='))
  })
})
