/** Text messages to confirmed phone numbers. */
import type { NotificationType } from './messages.js'

/** Texts cost money and interrupt people. So only these kinds of news are texted: what needs an act in time, and what money did. */
export const TEXTED_TYPES: readonly NotificationType[] = ['security', 'payout', 'dispute']

export const SMS_CODE_DIGITS = 6
export const SMS_CODE_MINUTES = 10
/** After so many wrong codes another one must be asked for. */
export const MAX_WRONG_SMS_CODES = 5
/** How many codes are sent to a user within a day, and how many to one number, whoever asks. */
export const SMS_CODES_PER_DAY = 5
/** How many codes may be asked for from one network address within a day, whoever asks: an address may have a family, or an office. */
export const SMS_CODES_PER_ADDRESS_AND_DAY = 20
/** The same from all addresses of one network (an IPv4 /24, an IPv6 /48). */
export const SMS_CODES_PER_NETWORK_AND_DAY = 60
/** How many texts about news a user gets within a day. The bell and mails have the others. */
export const SMS_NEWS_PER_DAY = 10

const E164 = /^\+[1-9]\d{7,14}$/

/** A phone number as E.164 has it, such as `+15550100100`. Null when it has no country code, or too few or many digits. */
export function e164Of(phoneNumber: string | null): string | null {
  const number = (phoneNumber ?? '').replace(/[\s()-]/g, '')
  return E164.test(number) ? number : null
}
