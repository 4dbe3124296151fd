import { Module } from '@nestjs/common'
import { PlatformAccount } from './platform-account.js'

/** Our own account at the provider, and the client for all calls to it. */
@Module({ providers: [PlatformAccount], exports: [PlatformAccount] })
export class ProviderModule {}
