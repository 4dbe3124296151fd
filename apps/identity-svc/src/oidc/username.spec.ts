import { usernameFrom } from './username.js'

test.each([
  ['Ana', 'Ruiz', 'ana.ruiz'],
  ['José María', 'Núñez', 'josemaria.nunez'],
  ['Ana', '', 'ana'],
  ['Al', '', 'member'],
  ['山田', '太郎', 'member'],
  ['Holdfast', 'Support', 'member'],
  ['A'.repeat(40), 'B', 'a'.repeat(24)],
  ['A'.repeat(23), 'B', 'a'.repeat(23)],
])('%s %s becomes %s', (firstName, lastName, username) => {
  expect(usernameFrom(firstName, lastName)).toBe(username)
})
