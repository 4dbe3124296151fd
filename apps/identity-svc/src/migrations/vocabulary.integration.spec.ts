import { PLANS, USER_ROLES, VERIFICATION_STATUSES } from '@holdfast/kernel/users'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['users', 'verification_status', VERIFICATION_STATUSES],
  ['users', 'role', USER_ROLES],
  ['users', 'plan', PLANS],
])
