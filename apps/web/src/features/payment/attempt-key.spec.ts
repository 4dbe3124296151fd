import { attemptKey, endAttempt } from './attempt-key.js'

const forbidden = (): never => {
  throw new DOMException('denied', 'SecurityError')
}

afterEach(() => {
  endAttempt(7, 'card')
  sessionStorage.clear()
})

test('an attempt keeps its key over retries', () => {
  expect(attemptKey(7, 'card')).toBe(attemptKey(7, 'card'))
})

test('a reload finds the key of the attempt under way', () => {
  sessionStorage.setItem('holdfast:pay:7:card', 'the key before the reload')
  expect(attemptKey(7, 'card')).toBe('the key before the reload')
})

test('a declined card ends the attempt: the next one has a key of its own', () => {
  const first = attemptKey(7, 'card')
  endAttempt(7, 'card')
  expect(attemptKey(7, 'card')).not.toBe(first)
})

test('every deal and every method has a key of its own', () => {
  const keys = [attemptKey(7, 'card'), attemptKey(8, 'card'), attemptKey(7, 'bank')]
  expect(new Set(keys).size).toBe(3)
  endAttempt(8, 'card')
  endAttempt(7, 'bank')
})

test('where storage is forbidden the key is kept as long as the page', () => {
  const store = { getItem: forbidden, setItem: forbidden, removeItem: forbidden }
  const key = attemptKey(9, 'card', store)
  expect(attemptKey(9, 'card', store)).toBe(key)
  endAttempt(9, 'card', store)
})
