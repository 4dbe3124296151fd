import { AGREEMENTS_VERSION } from '@holdfast/kernel/agreements'
import { ListingTerms } from './terms.js'

const { agreementsVersion } = ListingTerms.shape

test('listings that were signed under the first wording are still valid, and so are new ones', () => {
  expect(agreementsVersion.safeParse('2026-11').success).toBe(true)
  expect(agreementsVersion.safeParse(AGREEMENTS_VERSION).success).toBe(true)
  expect(agreementsVersion.safeParse('2025-01').success).toBe(false)
})
