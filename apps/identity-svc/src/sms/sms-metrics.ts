import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { SMS_KINDS, SMS_OUTCOMES } from './sms-vocabulary.js'

/** A text that was sent is counted again when the provider reports that it was delivered, or was not. */
export const smsTotal = counter('sms_total', 'Texts that were handed to the provider or have ended', [
  'kind',
  'outcome',
])
// A rate needs two values, so the first text that is not delivered would not be seen if its series began with it.
for (const kind of SMS_KINDS) for (const outcome of SMS_OUTCOMES) smsTotal.inc({ kind, outcome }, 0)
