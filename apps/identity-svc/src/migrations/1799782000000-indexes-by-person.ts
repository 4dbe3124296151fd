import { OnlineIndexes } from '@holdfast/service-kit/database/online-indexes'

/** Indexes for what is read and deleted by person: exports, the erasure of an account, and the limits of texts. */
export class IndexesByPerson1799782000000 extends OnlineIndexes {
  readonly name = 'IndexesByPerson1799782000000'
  protected readonly indexes = {
    sms_by_user: 'sms (user_id, created_at)',
    sms_by_number: 'sms (number, created_at)',
    verification_by_user: 'verification (user_id, id)',
    blocks_by_blocked: 'blocks (blocked_id)',
    mail_by_recipient: 'mail (lower(recipient))',
    mail_by_user: `mail ((data ->> 'userId'))`,
    enquiry_by_user: 'enquiry (user_id)',
    admin_act_by_subject: 'admin_act (subject, id)',
  }
}
