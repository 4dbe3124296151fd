/** A code that confirms a number, or a notification. */
export const SMS_KINDS = ['code', 'news'] as const
export type SmsKind = (typeof SMS_KINDS)[number]

/** How a text has ended: `sent` until the provider reports more. */
export const SMS_OUTCOMES = [
  'sent',
  'delivered',
  'undelivered',
  'refused',
  'stopped',
  'given_up',
  'not_needed',
] as const
export type SmsOutcome = (typeof SMS_OUTCOMES)[number]
