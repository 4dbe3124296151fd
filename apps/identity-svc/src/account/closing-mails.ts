import { pages } from '@holdfast/contracts/pages'
import { CLOSING_OBSTACLE_TEXTS, type ClosingObstacle } from '@holdfast/kernel/account'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import type { QueuedMail } from '@holdfast/mail/queue-mail'
import { ours, say } from '@holdfast/mail/sentence'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User } from '../users/user.entity.js'

export const CLOSED = 'account-closed'
export const NOT_CLOSED = 'account-not-closed'

/** The words of the mails about a closing. */
@Injectable()
export class ClosingMails implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(CLOSED, async () => this.#closed())
    this.mailer.add(NOT_CLOSED, mail => this.#notClosed(mail))
  }

  #closed(): MailContent {
    return {
      subject: say`Your account is closed`,
      paragraphs: [
        say`Your Holdfast account is closed, and your personal data are erased. This is our last mail to this address.`,
        say`The law requires us to keep the books, without your name, and the terms of your transactions with what you signed. Our privacy policy says what we keep and for how long.`,
      ],
      action: { label: 'Read the privacy policy', url: `${this.config.PUBLIC_URL}${pages.legal.path}?tab=privacy` },
      reason: say`You get this mail because this was the address of the account.`,
    }
  }

  async #notClosed({ data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: String(data.userId) })
    if (!user || user.closingId !== null) return null
    return {
      subject: say`Your account could not be closed`,
      firstName: user.firstName,
      paragraphs: [
        say`You have asked us to close your account. Meanwhile something has come up that must end first:`,
        ...(data.obstacles as ClosingObstacle[]).map(obstacle => say`${ours(CLOSING_OBSTACLE_TEXTS[obstacle])}`),
        say`Your account is as it was. Sign in again to go on.`,
      ],
      action: { label: 'Sign in', url: `${this.config.PUBLIC_URL}${pages.auth.path}` },
      reason: say`You get this mail because you have asked to close your account.`,
    }
  }
}
