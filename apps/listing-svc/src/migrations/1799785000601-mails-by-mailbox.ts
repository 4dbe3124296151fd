import { MAILS_BY_MAILBOX } from '@holdfast/mail/mail-table'
import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** The index by which mails to each mailbox are sent in turn. */
export class MailsByMailbox1799785000601 extends OnlineIndexes {
  readonly name = 'MailsByMailbox1799785000601'
  protected readonly indexes = MAILS_BY_MAILBOX
}
