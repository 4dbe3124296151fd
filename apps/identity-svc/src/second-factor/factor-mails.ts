import { pages } from '@holdfast/contracts/pages'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { ours, say } from '@holdfast/mail/sentence'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User } from '../users/user.entity.js'
import { FACTOR_MAIL, type FactorNotice, factorMail, findNotice } from './factor-mail.js'

/** Tells users by mail when one of their second factors was added, removed or used up, whoever did it. */
@Injectable()
export class FactorMails implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(FACTOR_MAIL, mail => this.#compose(mail))
  }

  /** Queues the mail in the dbTx of the change. */
  async queue(dbTx: EntityManager, userId: string, notice: FactorNotice): Promise<void> {
    await queueMail(dbTx, factorMail(await dbTx.findOneByOrFail(User, { id: userId }), notice))
  }

  async #compose({ data: { userId, notice } }: QueuedMail): Promise<MailContent | null> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: String(userId) })
    const words = findNotice(notice)
    if (!user || !words) return null
    const [subject, sentence] = words
    return {
      subject: say`${ours(subject)}`,
      firstName: user.firstName,
      paragraphs: [
        say`${ours(sentence)}`,
        say`If it was not you, set a new password here. That signs everybody out. Then look at Security on your profile.`,
      ],
      action: { label: 'Set a new password', url: `${this.config.PUBLIC_URL}${pages.forgotPassword.path}` },
      reason: say`You get this mail because it is about the safety of your account.`,
    }
  }
}
