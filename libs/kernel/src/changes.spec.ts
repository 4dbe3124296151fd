import { onlyChanged } from './changes.js'

test('only the fields that were changed are kept, and all when the sender does not say which', () => {
  const values = { name: 'Ana', phone: null, isOn: false }
  expect(onlyChanged(values, ['phone', 'isOn'])).toEqual({ phone: null, isOn: false })
  expect(onlyChanged(values, [])).toEqual({})
  expect(onlyChanged(values, undefined)).toEqual(values)
})
