import { type PaymentReceipt, receiptInternalRoutes, receiptRoutes } from '@holdfast/contracts/receipts'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { getPaymentReceipt } = receiptRoutes
const { getPaymentReceiptRecord } = receiptInternalRoutes

/** Joins the receipt of a payment with the names of the parties. */
@Controller()
export class ReceiptsController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(getPaymentReceipt)
  async get({ params }: Parsed<typeof getPaymentReceipt>, ctx: Ctx<typeof getPaymentReceipt>): Promise<PaymentReceipt> {
    const record = await this.calls.call('escrow-svc', getPaymentReceiptRecord, { params }, ctx)
    const { buyerId, sellerId, ...receipt } = record
    const [buyer, seller] = await Promise.all([this.people.party(buyerId), this.people.party(sellerId)])
    return { ...receipt, buyer, seller }
  }
}
