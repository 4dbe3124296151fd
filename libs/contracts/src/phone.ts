/** The phone number to which texts go. It is the profile's, and is confirmed by a code that is texted to it. */
import { MAX_WEBHOOK_FORM_BYTES, MAX_WEBHOOK_FORM_FIELDS } from '@holdfast/kernel/requests'
import { SMS_CODE_DIGITS } from '@holdfast/kernel/sms'
import { z } from 'zod'
import { Uuid } from './fields.js'
import { route } from './route.js'

export const Phone = z.object({
  /** Whether this server can send texts. */
  isOffered: z.boolean(),
  /** The number of the profile in E.164 form; null without one, and for one without a country code. */
  number: z.string().nullable(),
  isConfirmed: z.boolean(),
  /** Whether the person has answered STOP, after which the provider sends nothing to the number. */
  isStopped: z.boolean(),
})
export type Phone = z.infer<typeof Phone>

export const phoneRoutes = {
  getPhone: route({
    method: 'GET',
    path: '/api/phone',
    access: 'user',
    summary: 'Whether texts reach the signed-in user',
    response: Phone,
  }),
  sendPhoneCode: route({
    method: 'POST',
    path: '/api/phone/code',
    access: 'user',
    summary: 'Text a code to the phone number of the profile. An earlier code ends',
    status: 204,
    needsProof: true,
    errors: ['EMAIL_NOT_CONFIRMED', 'RATE_LIMITED'],
  }),
  confirmPhone: route({
    method: 'POST',
    path: '/api/phone/confirm',
    access: 'user',
    summary: 'Confirm the phone number with the code that was texted to it',
    body: z.object({
      code: z
        .string({ error: 'Required' })
        .trim()
        .regex(new RegExp(`^\\d{${SMS_CODE_DIGITS}}$`), `Must be ${SMS_CODE_DIGITS} digits`),
    }),
    response: Phone,
  }),
  twilioWebhook: route({
    method: 'POST',
    path: '/api/webhooks/twilio',
    access: 'public',
    handling: 'raw',
    summary: 'Twilio’s signed reports of what became of a text',
    bodyLimit: MAX_WEBHOOK_FORM_BYTES,
    maxFormFields: MAX_WEBHOOK_FORM_FIELDS,
    query: z.object({ sms: Uuid }),
    response: z.object({ received: z.literal(true) }),
    errors: ['WEBHOOK_SIGNATURE_INVALID', 'RATE_LIMITED'],
  }),
} as const
