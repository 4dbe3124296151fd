import { Notification } from '@holdfast/contracts/messages'
import { describeVocabulary } from '@holdfast/testing/vocabulary'
import { plan } from './plan.js'

describeVocabulary(plan, [['notifications', 'type', Notification.shape.type.options]])
