import { Module } from '@nestjs/common'
import { DeepReadiness } from './readiness.js'
import { ServiceCalls } from './service-calls.js'
import { Upstreams } from './upstreams.js'

/** The services behind the gateway: the connections to them, and the gateway's own calls over these. */
@Module({ providers: [Upstreams, DeepReadiness, ServiceCalls], exports: [Upstreams, ServiceCalls] })
export class ServicesModule {}
