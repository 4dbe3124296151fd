import { Readable } from 'node:stream'
import { accountInternalRoutes, accountRoutes as routes } from '@holdfast/contracts/account'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Controller } from '@nestjs/common'
import { ServiceCalls } from '../services/service-calls.js'
import { ClosingService } from './closing.service.js'
import { exportText } from './personal-data.js'

const { takeExport } = accountInternalRoutes

@Controller()
export class AccountController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly closing: ClosingService,
    private readonly clock: Clock,
  ) {}

  @Route(routes.getClosing)
  async obstacles(_: unknown, ctx: Ctx<typeof routes.getClosing>) {
    return { obstacles: await this.closing.obstacles(ctx) }
  }

  @Route(routes.closeAccount)
  close({ body }: Parsed<typeof routes.closeAccount>, ctx: Ctx<typeof routes.closeAccount>) {
    return this.closing.close(body.currentPassword, ctx)
  }

  /** Sends the export while it is read from the services. */
  @Route(routes.downloadExport)
  async download({ params }: Parsed<typeof routes.downloadExport>, ctx: Ctx<typeof routes.downloadExport>) {
    await this.calls.call('identity-svc', takeExport, { body: params }, ctx)
    const now = this.clock.now()
    ctx.reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="holdfast-data-${now.toISOString().slice(0, 10)}.json"`,
      'cache-control': 'private, no-store',
    })
    // Compression reads on without waiting for the client. An export of any size must not be held in memory.
    delete ctx.request.headers['accept-encoding']
    return Readable.from(exportText(this.calls, ctx, now), { objectMode: false, highWaterMark: 1 })
  }
}
