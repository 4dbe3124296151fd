import { createHash } from 'node:crypto'

/**
 * The key under which mails to an address are counted. Case and what stands behind a plus sign make no other mailbox at most providers,
 * and dots make none at Gmail, which has two domains. The address is hashed, so that the table of counters has no personal data.
 */
export function recipientKey(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const mailbox = local.replace(/\+.*/, '')
  const address = GMAIL.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`
  return createHash('sha256').update(address).digest('base64url')
}

/** Help of Gmail: “Dots don't matter in Gmail addresses”. */
const GMAIL: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])
