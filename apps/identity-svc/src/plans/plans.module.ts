import { Module } from '@nestjs/common'
import { PlansConsumer } from './plans.consumer.js'

/** The plans of users. */
@Module({ controllers: [PlansConsumer] })
export class PlansModule {}
