import { ENQUIRY_KINDS, ENQUIRY_STATES } from '@holdfast/kernel/enquiries'
import { PLANS, USER_ROLES, VERIFICATION_STATUSES } from '@holdfast/kernel/users'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { MAILED_TOKEN_PURPOSES } from '../credentials/mailed-tokens.js'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['enquiry', 'kind', ENQUIRY_KINDS],
  ['enquiry', 'state', ENQUIRY_STATES],
  ['mailed_token', 'purpose', MAILED_TOKEN_PURPOSES],
  ['users', 'verification_status', VERIFICATION_STATUSES],
  ['users', 'role', USER_ROLES],
  ['users', 'plan', PLANS],
])
