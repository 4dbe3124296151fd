import { pages } from '@holdfast/contracts/pages'
import { SIGN_IN_PROVIDER_LABELS, type SignInProvider } from '@holdfast/kernel/sign-in-providers'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { ours, say } from '@holdfast/mail/sentence'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User } from '../users/user.entity.js'

const KIND = 'provider-linked'

/** Tells users by mail that their account can be signed in to with one at a provider from now on. */
@Injectable()
export class LinkedMail implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(KIND, mail => this.#compose(mail))
  }

  /** Queues the mail in the dbTx of the link. */
  async queue(dbTx: Queryable, { id, email }: Pick<User, 'id' | 'email'>, provider: SignInProvider): Promise<void> {
    await queueMail(dbTx, {
      kind: KIND,
      recipient: email,
      data: { userId: id, label: SIGN_IN_PROVIDER_LABELS[provider] },
    })
  }

  async #compose({ data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: String(data.userId) })
    // A provider that the configuration names.
    const label = ours(String(data.label))
    return (
      user && {
        subject: say`You can sign in with ${label}`,
        firstName: user.firstName,
        paragraphs: [
          say`Somebody who reads the mails of this address has signed in to your account with ${label}. This way stays open.`,
          say`If it was not you, make sure that nobody else reads your mails, and then write to our support team.`,
        ],
        action: { label: 'Write to support', url: `${this.config.PUBLIC_URL}${pages.support.path}?tab=contact` },
        reason: say`You get this mail because it is about the safety of your account.`,
      }
    )
  }
}
