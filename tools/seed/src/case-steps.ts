import { disputeRoutes } from '@holdfast/contracts/dispute-routes'
import type { DisputeCase } from '@holdfast/contracts/disputes'
import type { CaseStep } from './deal-steps.js'
import type { OpenDeal } from './open-deal.js'
import { rasterise } from './pictures.js'

/** Performs a step of a dispute's case, unless it was performed before. */
export async function takeCaseStep(deal: OpenDeal, step: CaseStep): Promise<void> {
  const dispute = await caseOf(deal)
  const at = { params: { id: String(dispute.id) } }
  const { parties, mediator } = deal
  switch (step.does) {
    case 'addEvidence':
      if (dispute.evidence.some(({ note }) => note === step.note)) return
      await parties[step.by].call(disputeRoutes.addEvidence, {
        ...at,
        body: { note: step.note, images: await rasterise(step.pictures) },
      })
      return
    case 'propose':
      if (dispute.proposals.some(({ role }) => role === step.by)) return
      await parties[step.by].call(disputeRoutes.proposeSettlement, { ...at, body: { refundAmount: step.refundAmount } })
      return
    case 'rule': {
      if (dispute.rulings.length > 0) return
      const { outcome, refundAmount, resolution } = step
      await mediator.call(disputeRoutes.ruleDispute, {
        ...at,
        headers: { 'idempotency-key': `demo-${dispute.id}` },
        body: { outcome, resolution, ...(refundAmount !== undefined && { refundAmount }) },
      })
      return
    }
    case 'waiveAppeal':
      for (const role of ['buyer', 'seller'] as const)
        if (!dispute.rulings.at(-1)?.waivedBy.includes(role)) await parties[role].call(disputeRoutes.waiveAppeal, at)
      return
    case 'appeal':
      if (dispute.appeal) return
      await parties[step.by].call(disputeRoutes.appealRuling, { ...at, body: { reason: step.reason } })
      return
    case 'shipBack': {
      if (dispute.return?.trackingNumber) return
      const { trackingNumber, carrier } = step
      await parties.buyer.call(disputeRoutes.shipReturn, { ...at, body: { trackingNumber, carrier } })
      return
    }
    case 'contestReturn':
      if (dispute.return?.contest) return
      await parties.seller.call(disputeRoutes.contestReturn, { ...at, body: { reason: step.reason } })
  }
}

async function caseOf({ id, parties: { buyer } }: OpenDeal): Promise<DisputeCase> {
  const disputes = await buyer.call(disputeRoutes.listDisputesOfUser, { params: { userId: buyer.id } })
  const dispute = disputes.find(({ transactionId }) => transactionId === id)
  if (!dispute) throw new Error(`Deal ${id} has no dispute.`)
  return buyer.call(disputeRoutes.getDispute, { params: { id: String(dispute.id) } })
}
