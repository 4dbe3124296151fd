import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { isOlderThan } from '@holdfast/service-kit/lifecycle/retention'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { type DynamicModule, Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { MAIL } from './mail-table.js'
import { Mailer } from './mailer.js'

/** Deletes mails that ended long ago: they have people's addresses in them. */
@Injectable()
class MailCleanup extends PeriodicCleanup {
  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(CONFIG) { MAIL_KEPT_DAYS }: { MAIL_KEPT_DAYS: number },
  ) {
    super(dataSource, 'mails', deletionOf(MAIL, 'id', isOlderThan('ended_at', MAIL_KEPT_DAYS)))
  }
}

/** Shows at every scrape how many mails wait and for how long, so that an alert can say that the mail server takes none. */
@Injectable()
class MailMetrics implements OnModuleInit {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    const age = gauge('mail_oldest_waiting_seconds', 'Age of the oldest mail that was not sent yet')
    gauge('mails_waiting', 'Mails that were not sent yet', [], async count => {
      const [row]: { n: number; age: number }[] = await this.dataSource.query(
        `SELECT count(*)::int AS n, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS age
         FROM ${MAIL} WHERE due_at IS NOT NULL`,
      )
      count.set(row?.n ?? 0)
      age.set(row?.age ?? 0)
    })
  }
}

@Module({})
class MailModule {}

/**
 * Provides `Mailer` everywhere. The service has the table (`MAIL_TABLE`), `timersModule`, and the variables of `mailShape`.
 */
export function mailModule(): DynamicModule {
  return { module: MailModule, global: true, providers: [Mailer, MailCleanup, MailMetrics], exports: [Mailer] }
}
