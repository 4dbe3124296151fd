import { personalDataInternalRoutes } from '@holdfast/contracts/personal-data'
import type { Parsed } from '@holdfast/contracts/route'
import { Controller, type DynamicModule, Inject, Module } from '@nestjs/common'
import { getDataSourceToken } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'
import { requireUser } from '../auth/require-user.js'
import { type Ctx, Route } from '../http/route.js'
import { type PartStatement, readPart } from './read-part.js'

type Parts = Readonly<Record<string, PartStatement>>

const { readPersonalData } = personalDataInternalRoutes
const PARTS = Symbol('PARTS')

/** Answers the gateway what this service keeps about a user. */
@Controller()
class PersonalDataController {
  constructor(
    @Inject(getDataSourceToken()) private readonly dataSource: DataSource,
    @Inject(PARTS) private readonly parts: Parts,
  ) {}

  @Route(readPersonalData)
  read({ query }: Parsed<typeof readPersonalData>, { actor }: Ctx<typeof readPersonalData>) {
    const { part, after = null } = query
    return readPart(this.dataSource, this.parts, { part, after, userId: requireUser(actor).id })
  }
}

@Module({})
class PersonalDataModule {}

/**
 * For a service whose statements alone can answer `readPersonalData`. One that must decrypt something has a controller of its own.
 *
 * @param parts the statement of each part that the service keeps
 */
export function personalDataModule(parts: Parts): DynamicModule {
  return {
    module: PersonalDataModule,
    controllers: [PersonalDataController],
    providers: [{ provide: PARTS, useValue: parts }],
  }
}
