import { Module } from '@nestjs/common'
import { FactorsService } from './factors.service.js'
import { SignInSteps } from './sign-in-steps.js'

/** Which second factors a user has, and the sign-ins that wait for one. */
@Module({ providers: [FactorsService, SignInSteps], exports: [FactorsService, SignInSteps] })
export class FactorsModule {}
