import { Module } from '@nestjs/common'
import { DeepReadiness } from './readiness.js'
import { ServiceCalls } from './service-calls.js'
import { Upstreams } from './upstreams.js'

/** The services behind the gateway, for what is forwarded to them and for the gateway's own calls. */
@Module({ providers: [Upstreams, DeepReadiness, ServiceCalls], exports: [Upstreams, ServiceCalls] })
export class ForwardingModule {}
