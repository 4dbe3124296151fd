import { phoneRoutes as routes } from '@holdfast/contracts/phone'
import type { Parsed } from '@holdfast/contracts/route'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import { BadSignatures } from '@holdfast/service-kit/auth/bad-signatures'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { signedBody } from '@holdfast/service-kit/http/signed-body'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'
import { PhonesService } from './phones.service.js'
import { SmsReportsService } from './sms-reports.service.js'

type Report = typeof routes.twilioWebhook

@Controller()
export class SmsController {
  readonly #badSignatures: BadSignatures

  constructor(
    private readonly phones: PhonesService,
    private readonly reports: SmsReportsService,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.#badSignatures = new BadSignatures(dataSource)
  }

  @Route(routes.getPhone)
  get(_: unknown, { actor }: Ctx<typeof routes.getPhone>) {
    return this.phones.get(actor.id)
  }

  @Route(routes.sendPhoneCode)
  sendCode(_: unknown, { actor, clientIp }: Ctx<typeof routes.sendPhoneCode>) {
    return this.phones.sendCode(actor.id, clientIp)
  }

  @Route(routes.confirmPhone)
  confirm({ body }: Parsed<typeof routes.confirmPhone>, { actor }: Ctx<typeof routes.confirmPhone>) {
    return this.phones.confirm(actor.id, body.code)
  }

  @Route(routes.twilioWebhook)
  async report({ query }: Parsed<Report>, { request, clientIp }: Ctx<Report>) {
    const signature = String(request.headers[SIGNATURE_HEADERS.twilio] ?? '')
    await this.#badSignatures.limit(clientIp, () => this.reports.take(query.sms, signedBody(request), signature))
    return { received: true as const }
  }
}
