import { Injectable } from '@nestjs/common'
import { DealsService } from '../deals/deals.service.js'
import { ParcelsService } from './parcels.service.js'

/**
 * Ends receive-by dates. The carrier is asked first: if it reports a delivery, the inspection begins and no dispute is filed.
 * While it cannot be asked, or its report is not believed, the deal waits for a limited time.
 */
@Injectable()
export class ReceiveByService {
  constructor(
    private readonly deals: DealsService,
    private readonly parcels: ParcelsService,
  ) {}

  /** Ends the receive-by date of a deal if it is due. Calling it early or twice is safe. */
  async end(id: number): Promise<void> {
    if ((await this.deals.dueCommandOf(id)) !== 'endReceiveBy') return
    await this.deals.endReceiveBy(id, await this.parcels.ask(id))
  }
}
