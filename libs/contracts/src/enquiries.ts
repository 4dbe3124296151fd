/** What people write to us, and how operators answer. Served by identity-svc. */
import {
  COMPANY_SIZES,
  ENQUIRY_KINDS,
  ENQUIRY_STATES,
  ENTERPRISE_FAULTS,
  MAX_ENQUIRY_MESSAGE_LENGTH,
  MAX_ENQUIRY_NAME_LENGTH,
  MAX_ENQUIRY_SUBJECT_LENGTH,
  MIN_ENTERPRISE_MESSAGE_LENGTH,
  MONTHLY_VOLUMES,
  SUPPORT_CATEGORIES,
} from '@holdfast/kernel/enquiries'
import { MAX_ANONYMOUS_TEXT_BYTES } from '@holdfast/kernel/requests'
import { cleanText } from '@holdfast/kernel/text'
import { MAX_EMAIL_LENGTH, MAX_PHONE_LENGTH } from '@holdfast/kernel/users'
import { z } from 'zod'
import { SearchText, UuidPageQuery, UuidParams } from './admin-fields.js'
import { line, Timestamp, text, Uuid } from './fields.js'
import { route } from './route.js'

const emailOr = (fault: string) =>
  z.string({ error: fault }).trim().max(MAX_EMAIL_LENGTH).regex(z.regexes.email, fault).meta({ format: 'email' })

const SupportMessage = z.object({
  name: line(MAX_ENQUIRY_NAME_LENGTH, 'Enter your name'),
  email: emailOr('Invalid email address'),
  category: z.enum(SUPPORT_CATEGORIES, { error: 'Choose a category' }),
  subject: line(MAX_ENQUIRY_SUBJECT_LENGTH, 'Enter a subject'),
  message: text(MAX_ENQUIRY_MESSAGE_LENGTH, 'Enter your message'),
})

const EnterpriseEnquiry = z.object({
  firstName: line(MAX_ENQUIRY_NAME_LENGTH, ENTERPRISE_FAULTS.firstName),
  lastName: line(MAX_ENQUIRY_NAME_LENGTH, ENTERPRISE_FAULTS.lastName),
  email: emailOr(ENTERPRISE_FAULTS.email),
  company: line(MAX_ENQUIRY_NAME_LENGTH, ENTERPRISE_FAULTS.company),
  jobTitle: line(MAX_ENQUIRY_NAME_LENGTH, ENTERPRISE_FAULTS.jobTitle),
  companySize: z.enum(COMPANY_SIZES, { error: ENTERPRISE_FAULTS.companySize }),
  monthlyVolume: z.enum(MONTHLY_VOLUMES, { error: ENTERPRISE_FAULTS.monthlyVolume }),
  phone: z.string().trim().max(MAX_PHONE_LENGTH).optional(),
  message: z
    .string({ error: ENTERPRISE_FAULTS.message })
    .max(MAX_ENQUIRY_MESSAGE_LENGTH)
    .transform(cleanText)
    .refine(message => message.length >= MIN_ENTERPRISE_MESSAGE_LENGTH, ENTERPRISE_FAULTS.message)
    .meta({
      override: { type: 'string', minLength: MIN_ENTERPRISE_MESSAGE_LENGTH, maxLength: MAX_ENQUIRY_MESSAGE_LENGTH },
    }),
})

/** The number by which a person and an operator speak of it. */
const Received = z.object({ number: z.number().int() })

export const Enquiry = z.object({
  id: Uuid,
  number: z.number().int(),
  kind: z.enum(ENQUIRY_KINDS),
  state: z.enum(ENQUIRY_STATES),
  name: z.string(),
  email: z.string(),
  /** The account that wrote it; null for a visitor. */
  userId: Uuid.nullable(),
  subject: z.string(),
  message: z.string(),
  /** What the form asked besides, by label. */
  facts: z.record(z.string(), z.string()),
  createdAt: Timestamp,
  /** The answer that was mailed; null while there is none. */
  answer: z.object({ text: z.string(), by: Uuid, at: Timestamp }).nullable(),
})
export type Enquiry = z.infer<typeof Enquiry>

export const enquiryRoutes = {
  openTicket: route({
    method: 'POST',
    path: '/api/support/tickets',
    access: 'visitor',
    summary: 'Write to the support team, who answer by mail',
    status: 201,
    bodyLimit: MAX_ANONYMOUS_TEXT_BYTES,
    body: SupportMessage,
    response: Received,
    errors: ['RATE_LIMITED'],
  }),
  sendEnterpriseEnquiry: route({
    method: 'POST',
    path: '/api/enterprise-contact',
    access: 'visitor',
    summary: 'Ask for a price for a company',
    status: 201,
    bodyLimit: MAX_ANONYMOUS_TEXT_BYTES,
    body: EnterpriseEnquiry,
    response: Received,
    errors: ['RATE_LIMITED'],
  }),
} as const

export const enquiryAdminRoutes = {
  listEnquiries: route({
    method: 'GET',
    path: '/api/admin/enquiries',
    access: 'admin',
    summary:
      'What people wrote to us, newest first; optionally of one kind or state, or with a number, name or address',
    query: UuidPageQuery.extend({
      kind: z.enum(ENQUIRY_KINDS).optional(),
      state: z.enum(ENQUIRY_STATES).optional(),
      q: SearchText.optional(),
    }),
    response: z.array(Enquiry),
  }),
  answerEnquiry: route({
    method: 'POST',
    path: '/api/admin/enquiries/{id}/answer',
    access: 'admin',
    record: { kind: 'enquiry' },
    summary: 'Answer by mail, once',
    params: UuidParams,
    body: z.object({ text: text(MAX_ENQUIRY_MESSAGE_LENGTH, 'Write the answer') }),
    response: Enquiry,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  closeEnquiry: route({
    method: 'POST',
    path: '/api/admin/enquiries/{id}/close',
    access: 'admin',
    record: { kind: 'enquiry' },
    summary: 'Close it, with or without an answer',
    params: UuidParams,
    response: Enquiry,
    errors: ['NOT_FOUND'],
  }),
} as const
