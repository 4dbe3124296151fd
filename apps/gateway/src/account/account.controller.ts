import { Readable } from 'node:stream'
import { accountInternalRoutes, accountRoutes as routes } from '@holdfast/contracts/account'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Controller } from '@nestjs/common'
import { ServiceCalls } from '../services/service-calls.js'
import { Sessions } from '../sessions/sessions.js'
import { ClosingService } from './closing.service.js'
import { exportText } from './personal-data.js'

const { takeExport } = accountInternalRoutes

@Controller()
export class AccountController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly closing: ClosingService,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  @Route(routes.getClosing)
  async obstacles(_: unknown, ctx: Ctx<typeof routes.getClosing>) {
    return { obstacles: await this.closing.obstacles(ctx) }
  }

  @Route(routes.closeAccount)
  async close({ body }: Parsed<typeof routes.closeAccount>, ctx: Ctx<typeof routes.closeAccount>) {
    await this.closing.close(body.currentPassword, ctx)
    // The session has ended. Otherwise a read would be answered with it for a moment.
    const hash = this.sessions.hashOf(ctx.request)
    if (hash !== null) this.sessions.forget(hash)
  }

  /**
   * Sends the export while it is read from the services.
   *
   * @throws DomainError METHOD_NOT_ALLOWED for HEAD; ApiError as identity-svc refuses the address
   */
  @Route(routes.downloadExport)
  async download({ params }: Parsed<typeof routes.downloadExport>, ctx: Ctx<typeof routes.downloadExport>) {
    // Fastify calls a GET handler for HEAD, too. HEAD must not use the address up.
    if (ctx.request.method === 'HEAD') {
      ctx.reply.header('allow', routes.downloadExport.method)
      throw new DomainError('METHOD_NOT_ALLOWED')
    }
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
