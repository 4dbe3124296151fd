/** Where people reach us. */
export const SUPPORT_EMAIL = 'support@holdfast.example'
export const SALES_EMAIL = 'sales@holdfast.example'
export const LEGAL_EMAIL = 'legal@holdfast.example'
export const PRIVACY_EMAIL = 'privacy@holdfast.example'
export const COMPLIANCE_EMAIL = 'compliance@holdfast.example'
export const SALES_PHONE = '+1 (555) 010-0199'

/** The address of a new mail, with its subject and text filled in. */
export function mailTo(address: string, subject: string, body = ''): string {
  const query = new URLSearchParams({ subject, ...(body ? { body } : {}) })
  // Mail programs read "+" as a plus sign, not as a space.
  return `mailto:${address}?${query.toString().replaceAll('+', '%20')}`
}
