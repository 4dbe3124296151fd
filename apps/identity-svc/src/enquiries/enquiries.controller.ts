import { enquiryAdminRoutes as adminRoutes, enquiryRoutes as routes } from '@holdfast/contracts/enquiries'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { EnquiriesService } from './enquiries.service.js'

@Controller()
export class EnquiriesController {
  constructor(private readonly enquiries: EnquiriesService) {}

  @Route(routes.openTicket)
  openTicket({ body }: Parsed<typeof routes.openTicket>, { actor, clientIp }: Ctx<typeof routes.openTicket>) {
    return this.enquiries.openTicket(body, { userId: actor?.id ?? null, clientIp })
  }

  @Route(routes.sendEnterpriseEnquiry)
  sendEnterprise(
    { body }: Parsed<typeof routes.sendEnterpriseEnquiry>,
    { actor, clientIp }: Ctx<typeof routes.sendEnterpriseEnquiry>,
  ) {
    return this.enquiries.sendEnterprise(body, { userId: actor?.id ?? null, clientIp })
  }

  @Route(adminRoutes.listEnquiries)
  async list({ query }: Parsed<typeof adminRoutes.listEnquiries>, ctx: Ctx<typeof adminRoutes.listEnquiries>) {
    const page = await this.enquiries.list(query)
    linkFullPage(ctx, adminRoutes.listEnquiries, { page, limit: query.limit }, last => ({
      query: { ...query, before: last.id },
    }))
    return page
  }

  @Route(adminRoutes.answerEnquiry)
  answer({ params, body }: Parsed<typeof adminRoutes.answerEnquiry>, { actor }: Ctx<typeof adminRoutes.answerEnquiry>) {
    return this.enquiries.answer(params.id, body.text, actor.id)
  }

  @Route(adminRoutes.closeEnquiry)
  close({ params }: Parsed<typeof adminRoutes.closeEnquiry>) {
    return this.enquiries.close(params.id)
  }
}
