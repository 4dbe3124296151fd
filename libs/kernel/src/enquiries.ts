/** What people write to us: support tickets and enquiries of companies (spec sections 5 and 9). */

export const ENQUIRY_KINDS = ['support', 'enterprise'] as const
export type EnquiryKind = (typeof ENQUIRY_KINDS)[number]

export const ENQUIRY_STATES = ['open', 'answered', 'closed'] as const
export type EnquiryState = (typeof ENQUIRY_STATES)[number]

export const SUPPORT_CATEGORIES = ['general', 'technical', 'transaction', 'account', 'billing'] as const
export type SupportCategory = (typeof SUPPORT_CATEGORIES)[number]

export const COMPANY_SIZES = ['50-99', '100-499', '500-999', '1000-4999', '5000+'] as const
export const MONTHLY_VOLUMES = ['$100k-$500k', '$500k-$1M', '$1M-$5M', '$5M-$10M', '$10M+'] as const

export const MIN_ENTERPRISE_MESSAGE_LENGTH = 10
export const MAX_ENQUIRY_NAME_LENGTH = 120
export const MAX_ENQUIRY_SUBJECT_LENGTH = 200
export const MAX_ENQUIRY_MESSAGE_LENGTH = 5_000

/** What is wrong with an enterprise enquiry, word for word (spec section 5). */
export const ENTERPRISE_FAULTS = {
  firstName: 'First name is required',
  lastName: 'Last name is required',
  email: 'Invalid email address',
  company: 'Company name is required',
  jobTitle: 'Job title is required',
  companySize: 'Please select company size',
  monthlyVolume: 'Please select monthly transaction volume',
  message: 'Please provide more details about your requirements',
} as const
