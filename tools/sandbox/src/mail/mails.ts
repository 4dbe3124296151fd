import type { Context } from '../context.js'
import type { MailRecord } from './records.js'

/** The mails to an address, or all, newest first. Case is ignored, and a part of an address is enough. */
export function mailsTo({ state }: Context, address = ''): MailRecord[] {
  const wanted = address.trim().toLowerCase()
  return state.mails
    .newestFirst()
    .filter(({ recipients }) => recipients.some(recipient => recipient.toLowerCase().includes(wanted)))
}
