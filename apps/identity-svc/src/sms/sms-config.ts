import { allOrNone } from '@holdfast/service-kit/lifecycle/config'
import { z } from 'zod'
import { isAllowedBy, type SmsPrefixes, smsPrefixesOf } from './sms-prefixes.js'

export const smsShape = {
  /** The account at Twilio from which texts are sent. Without it no texts are offered. */
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be AC and 32 hexadecimal digits')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(16).optional(),
  /** The number from which texts come, in E.164 form. */
  TWILIO_FROM: z
    .string()
    .regex(/^\+[1-9]\d{7,14}$/, 'must be a number such as +15550100100')
    .optional(),
  TWILIO_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.twilio.com'),
  /** How many codes, and how many other texts, are sent within a day to all users together: what a fault or an attack can cost. */
  SMS_PER_DAY: z.coerce.number().int().min(0).max(1_000_000).default(1_000),
  /**
   * The beginnings of numbers to which texts are sent, such as `+1,+44,!+1876` (`smsPrefixesOf`). Owners of premium-rate numbers earn money
   * with codes that are texted to them. Without it texts go to all numbers; production requires it.
   */
  SMS_PREFIXES: z
    .string()
    .transform((list, context) => {
      const prefixes = smsPrefixesOf(list)
      if (prefixes !== null) return prefixes
      context.addIssue({ code: 'custom', message: 'must be a list such as +1,+44,!+1876' })
      return z.NEVER
    })
    .optional(),
}

export interface SmsConfig {
  readonly TWILIO_ACCOUNT_SID?: string | undefined
  readonly TWILIO_AUTH_TOKEN?: string | undefined
  readonly TWILIO_FROM?: string | undefined
  readonly TWILIO_API_URL: string
  readonly SMS_PER_DAY: number
  readonly SMS_PREFIXES?: SmsPrefixes | undefined
  readonly PUBLIC_URL: string
}

/** What a call to the provider needs. */
export interface SmsAccount {
  readonly sid: string
  readonly token: string
  readonly from: string
}

/** The account at the provider; null when texts are not offered. */
export function accountOf({ TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM }: SmsConfig): SmsAccount | null {
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN || !TWILIO_FROM) return null
  return { sid: TWILIO_ACCOUNT_SID, token: TWILIO_AUTH_TOKEN, from: TWILIO_FROM }
}

/** Whether texts are sent to a number in E.164 form, wherever it is. */
export const isTextable = ({ SMS_PREFIXES }: Pick<SmsConfig, 'SMS_PREFIXES'>, number: string): boolean =>
  SMS_PREFIXES === undefined || isAllowedBy(SMS_PREFIXES, number)

/** What is wrong with variables that are valid alone: the account needs all three of its variables, or none. */
export const smsRefusals = (config: SmsConfig & { readonly NODE_ENV: string }) => ({
  ...allOrNone({
    TWILIO_ACCOUNT_SID: config.TWILIO_ACCOUNT_SID,
    TWILIO_AUTH_TOKEN: config.TWILIO_AUTH_TOKEN,
    TWILIO_FROM: config.TWILIO_FROM,
  }),
  SMS_PREFIXES:
    config.NODE_ENV === 'production' && accountOf(config) !== null && config.SMS_PREFIXES === undefined
      ? 'must say in production to which numbers texts are sent, such as +1,+44'
      : undefined,
  TWILIO_API_URL:
    config.NODE_ENV === 'production' && !config.TWILIO_API_URL.startsWith('https:')
      ? 'must be https in production'
      : undefined,
})
