import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { KnownDevice } from './known-device.entity.js'
import { KnownDevicesService } from './known-devices.service.js'
import { KnownDevicesCleanup } from './known-devices-cleanup.js'

/** The browsers with which users have signed in. */
@Module({
  imports: [TypeOrmModule.forFeature([KnownDevice])],
  providers: [KnownDevicesService, KnownDevicesCleanup],
  exports: [KnownDevicesService],
})
export class DevicesModule {}
