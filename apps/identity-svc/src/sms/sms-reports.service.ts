import { DomainError } from '@holdfast/kernel/errors'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { PhonesService } from './phones.service.js'
import { STOPPED_CODE } from './post-sms.js'
import { accountOf } from './sms-config.js'
import { smsTotal } from './sms-metrics.js'
import { statusCallbackOf } from './sms-sender.js'
import type { SmsKind, SmsOutcome } from './sms-vocabulary.js'
import { isSignedByTwilio } from './twilio-signature.js'

/** The statuses of Twilio that end a text. The others come before the end, or late, and change nothing. */
const OUTCOMES: Readonly<Record<string, SmsOutcome>> = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
}

/** A report can come before the answer to our call, and twice. The first that ends the text counts. */
const REPORT = `
  UPDATE sms SET due_at = NULL, ended_at = coalesce(ended_at, now()), outcome = $2, last_error = $3, provider_id = $4
  WHERE id = $1 AND (outcome IS NULL OR outcome = 'sent') RETURNING user_id AS "userId", number, kind`

interface SmsRow {
  readonly userId: string
  readonly number: string
  readonly kind: SmsKind
}

const log = loggerOf('sms')

/** Takes the provider's signed reports of what became of texts. */
@Injectable()
export class SmsReportsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly phones: PhonesService,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /**
   * @param body a form with few fields, which the contract limits: Twilio signs them in the order of their names, so they are read first
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`
   */
  async take(smsId: string, body: Buffer, signature: string): Promise<void> {
    const account = accountOf(this.config)
    if (!account || signature === '') throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    const fields = new URLSearchParams(body.toString())
    const url = statusCallbackOf(this.config.PUBLIC_URL, smsId)
    if (!isSignedByTwilio(url, fields, account.token, signature)) throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    const outcome = OUTCOMES[fields.get('MessageStatus') ?? '']
    if (outcome === undefined) return
    const errorCode = fields.get('ErrorCode')
    const values = [smsId, outcome, errorCode && `error ${errorCode}`, fields.get('MessageSid')]
    const [rows]: [SmsRow[], number] = await this.dataSource.query(REPORT, values)
    const [text] = rows
    if (!text) return
    smsTotal.inc({ kind: text.kind, outcome })
    // The number is not logged: it is a person's.
    if (outcome === 'undelivered') log.warn({ sms: smsId, kind: text.kind, errorCode }, 'a text was not delivered')
    if (Number(errorCode) === STOPPED_CODE) await this.phones.stop(text.userId, text.number)
  }
}
