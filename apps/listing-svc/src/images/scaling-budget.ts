import { PixelBudget } from '@holdfast/pictures/pixel-budget'
import { Injectable } from '@nestjs/common'
import { DataSource } from 'typeorm'

/**
 * The pixels of stored pictures that are scaled for a viewer. It is a budget of its own, so that a user who has looked at many new
 * pictures can still upload some.
 */
@Injectable()
export class ScalingBudget extends PixelBudget {
  constructor(dataSource: DataSource) {
    super(dataSource, 'scaled-kilopixels')
  }
}
