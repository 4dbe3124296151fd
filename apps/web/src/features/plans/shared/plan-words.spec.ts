import { FEES_SENTENCE, PREMIUM_MONTHLY } from './plan-words.js'

test('both prices of Premium are named with what they mean', () => {
  expect(PREMIUM_MONTHLY).toBe('$30')
  expect(FEES_SENTENCE).toBe(
    'Standard is 1.5% for the seller and 1.5% for the buyer. Premium reduces that to 1.0% each, at $30 a month, or $20 a month billed yearly.',
  )
})
