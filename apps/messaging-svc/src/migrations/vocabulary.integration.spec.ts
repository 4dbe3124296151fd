import { NOTIFICATION_TYPES } from '@holdfast/kernel/messages'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { plan } from './plan.js'

describeVocabulary(plan, [['notifications', 'type', NOTIFICATION_TYPES]])
