import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { expect, test } from '@jest/globals'
import { ListingTerms } from './terms.js'

const { agreementsVersion } = ListingTerms.shape

test('what was signed under the first wording can still be bought, beside what is signed now', () => {
  expect(agreementsVersion.safeParse('2026-11').success).toBe(true)
  expect(agreementsVersion.safeParse(AGREEMENTS_VERSION).success).toBe(true)
  expect(agreementsVersion.safeParse('2025-01').success).toBe(false)
})
