import { ENQUIRY_KINDS, ENQUIRY_STATES } from '@holdfast/kernel/enquiries'
import { PASSKEY_PURPOSES } from '@holdfast/kernel/second-factors'
import { SIGN_IN_PROVIDERS } from '@holdfast/kernel/sign-in-providers'
import { PLANS, SUBMISSION_STATES, USER_ROLES, VERIFICATION_STATUSES } from '@holdfast/kernel/users'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { MAILED_TOKEN_PURPOSES } from '../credentials/mailed-tokens.js'
import { SMS_KINDS, SMS_OUTCOMES } from '../sms/sms-vocabulary.js'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['enquiry', 'kind', ENQUIRY_KINDS],
  ['enquiry', 'state', ENQUIRY_STATES],
  ['mailed_token', 'purpose', MAILED_TOKEN_PURPOSES],
  ['passkey_challenge', 'purpose', PASSKEY_PURPOSES],
  ['provider_sign_in', 'provider', SIGN_IN_PROVIDERS],
  ['sms', 'kind', SMS_KINDS],
  ['sms', 'outcome', SMS_OUTCOMES],
  ['users', 'verification_status', VERIFICATION_STATUSES],
  ['users', 'role', USER_ROLES],
  ['verification', 'state', SUBMISSION_STATES],
  ['users', 'plan', PLANS],
])
