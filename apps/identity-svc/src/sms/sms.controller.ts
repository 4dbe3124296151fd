import { phoneRoutes as routes } from '@holdfast/contracts/phone'
import type { Parsed } from '@holdfast/contracts/route'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { PhonesService } from './phones.service.js'
import { SmsReportsService } from './sms-reports.service.js'

type Report = typeof routes.twilioWebhook

@Controller()
export class SmsController {
  constructor(
    private readonly phones: PhonesService,
    private readonly reports: SmsReportsService,
  ) {}

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
  async report({ query }: Parsed<Report>, { request }: Ctx<Report>) {
    const { body, headers } = request
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    await this.reports.take(query.sms, bytes, String(headers[SIGNATURE_HEADERS.twilio] ?? ''))
    return { received: true as const }
  }
}
