import { DISPUTE_REASONS, DISPUTE_STATUSES } from '@holdfast/kernel/disputes'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { STEPS } from '../disputes/dispute.entity.js'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['dispute', 'reason', DISPUTE_REASONS],
  ['dispute', 'status', DISPUTE_STATUSES],
  ['dispute', 'step', STEPS],
])
