import { APPROVAL_STATES } from '@holdfast/kernel/admin'
import { SETTLEMENT_CAUSES } from '@holdfast/kernel/deals'
import {
  DISPUTE_CLOCKS,
  DISPUTE_REASONS,
  DISPUTE_STATUSES,
  DISPUTE_STEPS,
  PROPOSAL_STATES,
  RULING_OUTCOMES,
} from '@holdfast/kernel/disputes'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { STEPS } from '../cases/dispute.entity.js'
import { STAGES } from '../cases/domain/stages.js'
import { plan } from './plan.js'

describeVocabulary(plan, [
  ['dispute', 'reason', DISPUTE_REASONS],
  ['dispute', 'status', DISPUTE_STATUSES],
  ['dispute', 'step', STEPS],
  ['dispute', 'stage', STAGES],
  ['dispute', 'settle_cause', SETTLEMENT_CAUSES],
  ['dispute_clock', 'kind', DISPUTE_CLOCKS],
  ['proposal', 'state', PROPOSAL_STATES],
  ['ruling', 'outcome', RULING_OUTCOMES],
  ['ruling_request', 'outcome', RULING_OUTCOMES],
  ['ruling_request', 'state', APPROVAL_STATES],
  ['history', 'step', DISPUTE_STEPS],
])
