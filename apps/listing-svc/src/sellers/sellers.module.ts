import { Module } from '@nestjs/common'
import { SellersConsumer } from './sellers.consumer.js'
import { SellersService } from './sellers.service.js'

@Module({ controllers: [SellersConsumer], providers: [SellersService] })
export class SellersModule {}
