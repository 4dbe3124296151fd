import { deletionOf, PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { type DynamicModule, Inject, Injectable, Module, type Type } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { MailMetrics } from './mail-metrics.js'
import { MAIL } from './mail-table.js'
import { Mailer } from './mailer.js'
import { Readers } from './readers.js'

/** Deletes mails that ended long ago: they have people's addresses in them. */
@Injectable()
class MailCleanup extends PeriodicCleanup {
  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(CONFIG) { MAIL_KEPT_DAYS }: { MAIL_KEPT_DAYS: number },
  ) {
    super(dataSource, 'mails', deletionOf(MAIL, 'ended_at', MAIL_KEPT_DAYS))
  }
}

@Module({})
class MailModule {}

/**
 * Provides `Mailer` everywhere. The service has the table (`MAIL_TABLE`), `timersModule`, and the variables of `mailShape`.
 *
 * @param readers who gets words that a user wrote
 */
export function mailModule(readers: Type<Readers>): DynamicModule {
  const providers = [{ provide: Readers, useClass: readers }, Mailer, MailCleanup, MailMetrics]
  return { module: MailModule, global: true, providers, exports: [Mailer] }
}
