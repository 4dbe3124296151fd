import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { KnownDevice } from './known-device.entity.js'
import { KnownDevicesService } from './known-devices.service.js'

/** The browsers with which users have signed in. */
@Module({
  imports: [TypeOrmModule.forFeature([KnownDevice])],
  providers: [KnownDevicesService],
  exports: [KnownDevicesService],
})
export class DevicesModule {}
