import { findUnstorable, MAX_JSON_DEPTH } from './storable.js'

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

describe('findUnstorable', () => {
  test('accepts ordinary input, including other alphabets and emoji', () => {
    expect(findUnstorable({ a: ['ä', '日本', '🎈'], b: null, c: 1e300, d: { e: true } })).toBeNull()
  })

  test('names the field with a NUL character', () => {
    expect(findUnstorable({ images: ['ok', { name: 'a\0b' }] })).toMatchObject({ path: 'images.1.name' })
  })

  test('finds half a surrogate pair and a NUL in a field name', () => {
    expect(findUnstorable({ a: 'x\ud800' })).toMatchObject({ path: 'a' })
    expect(findUnstorable({ a: { 'b\0': 1 } })).toMatchObject({ path: 'a' })
  })

  test('refuses JSON that is nested too deep, also when it is very deep', () => {
    expect(findUnstorable(nested(MAX_JSON_DEPTH))).toBeNull()
    expect(findUnstorable(nested(MAX_JSON_DEPTH + 1))).toMatchObject({ message: 'Nested too deep' })
    expect(findUnstorable(nested(200_000))).toMatchObject({ message: 'Nested too deep' })
  })
})
