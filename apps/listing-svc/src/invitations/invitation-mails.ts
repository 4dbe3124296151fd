import { pages } from '@holdfast/contracts/pages'
import { type Currency, displayMinor } from '@holdfast/kernel/money'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import type { QueuedMail } from '@holdfast/mail/queue-mail'
import { ours, say } from '@holdfast/mail/sentence'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { DataSource } from 'typeorm'
import type { ListingConfig } from '../config.js'
import { makeToken } from './invitation-tokens.js'

/** The mail with the link of an invitation. */
export const INVITED = 'invited'

/** The address of the page that opens an invitation. */
export const linkOf = ({ PUBLIC_URL }: Pick<ListingConfig, 'PUBLIC_URL'>, token: string): string =>
  PUBLIC_URL + pages.invitation.path.replace(':token', token)

// A mail may be sent long after it was queued. An invitation that has ended by then is not mailed.
const FIND = `
  SELECT i.id, i.message IS NOT NULL AS "hasMessage", i.expires_at AS "expiresAt", l.title, l.price_minor AS "priceMinor", l.currency,
    s.first_name AS "firstName", s.last_name AS "lastName", s.username
  FROM invitation i JOIN listing l ON l.id = i.listing_id JOIN seller s ON s.id = l.seller_id
  WHERE i.id = $1 AND i.revoked_at IS NULL AND i.accepted_by IS NULL AND i.expires_at > now() AND l.status = 'active'`

interface Row {
  readonly id: string
  readonly hasMessage: boolean
  readonly expiresAt: Date
  readonly title: string
  readonly priceMinor: string
  readonly currency: Currency
  readonly firstName: string
  readonly lastName: string
  readonly username: string
}

/** Makes the words of the mails with invitations. */
@Injectable()
export class InvitationMails implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: ListingConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(INVITED, mail => this.#compose(mail))
  }

  async #compose({ data }: QueuedMail): Promise<MailContent | null> {
    const [row]: Row[] = await this.dataSource.query(FIND, [data.invitationId])
    if (!row) return null
    const price = displayMinor(BigInt(row.priceMinor), row.currency)
    return {
      subject: say`You are invited to buy something on Holdfast`,
      paragraphs: [
        say`A Holdfast user entered your address and offers you an item for ${ours(price)}. The listing is private: others cannot find it.`,
        ...(row.hasMessage ? [say`They have left you a message, too. It stands on the page of the invitation.`] : []),
        say`Opening the invitation costs nothing. If you buy the item, we hold your money until you have received and accepted it.`,
        say`The invitation is for this e-mail address, and can be accepted until ${ours(row.expiresAt.toUTCString())}.`,
      ],
      quotation: [
        { label: 'The item', text: row.title },
        { label: 'Offered by', text: `${row.firstName} ${row.lastName}` },
        { label: 'Username', text: row.username },
      ],
      action: { label: 'Open the invitation', url: linkOf(this.config, await makeToken(this.dataSource, row.id)) },
      reason: say`You get this mail because a Holdfast user entered your address. If you do not know them, do nothing.`,
    }
  }
}
