import { personalDataInternalRoutes } from '@holdfast/contracts/personal-data'
import type { Parsed } from '@holdfast/contracts/route'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { readPart } from '@holdfast/service-kit/personal-data/read-part'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { PARTS } from './personal-data.js'

const { readPersonalData } = personalDataInternalRoutes

@Controller()
export class AccountsController {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  @Route(readPersonalData)
  read({ query }: Parsed<typeof readPersonalData>, { actor }: Ctx<typeof readPersonalData>) {
    const { part, after = null } = query
    return readPart(this.dataSource, PARTS, { part, after, userId: requireUser(actor).id })
  }
}
