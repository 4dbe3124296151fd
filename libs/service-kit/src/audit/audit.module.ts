import { auditInternalRoutes } from '@holdfast/contracts/admin'
import type { Parsed } from '@holdfast/contracts/route'
import { Controller, Inject, Module } from '@nestjs/common'
import { getDataSourceToken } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'
import { Route } from '../http/route.js'
import { listActs } from './admin-acts.js'

const routes = auditInternalRoutes

/** Answers the gateway what admins did in this service. */
@Controller()
class AuditController {
  constructor(@Inject(getDataSourceToken()) private readonly dataSource: DataSource) {}

  @Route(routes.listActs)
  list({ query }: Parsed<typeof routes.listActs>) {
    return listActs(this.dataSource, query)
  }
}

/** For a service that keeps acts of admins. Its schema has the `adminActTable`. */
@Module({ controllers: [AuditController] })
export class AuditModule {}
