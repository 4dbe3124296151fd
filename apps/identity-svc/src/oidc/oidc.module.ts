import { Module } from '@nestjs/common'
import { CredentialsModule } from '../credentials/credentials.module.js'
import { LinkedMail } from './linked-mail.js'
import { OidcController } from './oidc.controller.js'
import { OidcService } from './oidc.service.js'
import { OidcClient } from './oidc-client.js'
import { ProviderAccountsService } from './provider-accounts.service.js'
import { ProviderSignIns } from './provider-sign-ins.js'

/** Signing in with an account of Google, Apple or Microsoft, by OpenID Connect. */
@Module({
  imports: [CredentialsModule],
  controllers: [OidcController],
  providers: [LinkedMail, OidcClient, OidcService, ProviderAccountsService, ProviderSignIns],
})
export class OidcModule {}
