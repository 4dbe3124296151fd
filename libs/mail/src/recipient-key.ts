import { createHash } from 'node:crypto'

/**
 * The key under which mails to an address are counted. Case and what stands behind a plus sign make no other mailbox at most providers.
 * The address is hashed, so that the table of counters has no personal data.
 */
export function recipientKey(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  return createHash('sha256')
    .update(`${local.replace(/\+.*/, '')}@${domain}`)
    .digest('base64url')
}
