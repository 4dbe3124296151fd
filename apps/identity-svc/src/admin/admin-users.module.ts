import { AuditModule } from '@holdfast/service-kit/audit/audit.module'
import { Module } from '@nestjs/common'
import { SessionsModule } from '../sessions/sessions.module.js'
import { AdminUsersController } from './admin-users.controller.js'
import { AdminUsersService } from './admin-users.service.js'

/** Users in the operator's console, and what admins did with them. */
@Module({ imports: [SessionsModule, AuditModule], controllers: [AdminUsersController], providers: [AdminUsersService] })
export class AdminUsersModule {}
