import { aPerson } from '../../test/deals.js'
import { isNamed } from './is-named.js'

const person = { ...aPerson('Zoë'), lastName: 'Muñoz-Peralta', username: 'zoe_1' }

it.each(['zoe', 'ZOË muñ', 'peralta', '@zoe_1', '  munoz  zoe '])('%s names Zoë Muñoz-Peralta', text => {
  expect(isNamed(person, text)).toBe(true)
})

it.each(['oe', 'zoe camera', '', ' ', '@', '!!', 'munozperalta'])('"%s" does not', text => {
  expect(isNamed(person, text)).toBe(false)
})
