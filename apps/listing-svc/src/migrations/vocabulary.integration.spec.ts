import { PARTY_ROLES } from '@holdfast/kernel/deals'
import { LISTING_STATUSES } from '@holdfast/kernel/listings'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['listing', 'status', LISTING_STATUSES],
  ['legal_acceptance', 'signed_as', PARTY_ROLES],
])
