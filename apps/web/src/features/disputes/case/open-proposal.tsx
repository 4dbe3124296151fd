import { routes } from 'virtual:routes'
import type { DisputeCase, Proposal } from '@holdfast/contracts/disputes'
import { useState } from 'react'
import { Button } from '../../../components/button.js'
import { classes } from '../../../lib/class-names.js'
import { AcceptDialog } from './accept-dialog.js'
import { may, paramsOf, useCaseCommand } from './case.js'
import { isTooHigh } from './next-step.view.js'
import { otherSide, proposalWords } from './people.js'
import { splitAt } from './split.view.js'
import { SplitPreview, SplitSentence } from './split-preview.js'

interface OpenProposalProps {
  dispute: DisputeCase
  proposal: Proposal
}

/** A proposal that waits for an answer. The other party accepts or declines it. */
export default function OpenProposal({ dispute, proposal }: OpenProposalProps) {
  const [asking, setAsking] = useState(false)
  const decline = useCaseCommand(routes.declineSettlement, dispute, {
    whether: 'the proposal was declined',
    done: ['Proposal declined', 'The case goes on.'],
    refused: 'The proposal was not declined',
  })
  const { settlement, viewerRole } = dispute
  const named = { params: paramsOf(dispute), body: { proposalId: proposal.id } }
  const other = otherSide(viewerRole)
  const isToReader = other === proposal.role
  const split = settlement && splitAt(settlement, proposal.refundAmount)
  return (
    <article
      className={classes(
        'grid gap-4 rounded-lg border p-4 sm:p-5',
        isToReader && may(dispute, 'propose') ? 'border-needs-edge bg-needs-soft' : 'border-rule bg-surface',
      )}
    >
      <h3 className="font-semibold">{headingOf(proposal, dispute)}</h3>
      {split &&
        (isToReader ? (
          <SplitPreview dispute={dispute} split={split} />
        ) : (
          <SplitSentence dispute={dispute} split={split} />
        ))}
      {isToReader && (
        <div className="flex flex-wrap gap-3">
          {may(dispute, 'propose') && split && <Button onClick={() => setAsking(true)}>Accept</Button>}
          {may(dispute, 'declineProposal') && (
            <Button kind="quiet" busy={decline.busy} onClick={() => void decline.give(named)}>
              {decline.busy ? 'Declining...' : 'Decline'}
            </Button>
          )}
        </div>
      )}
      {split && (
        <AcceptDialog
          open={asking}
          onClose={() => setAsking(false)}
          dispute={dispute}
          proposal={proposal}
          split={split}
        />
      )}
    </article>
  )
}

function headingOf(proposal: Proposal, dispute: DisputeCase): string {
  const proposes = `${proposalWords(proposal, dispute, 'present')}.`
  const other = otherSide(proposal.role)
  const isOwn = proposal.role === dispute.viewerRole
  if (dispute.turn === 'bank') return `${proposes} It waits until the bank has decided.`
  if (isTooHigh(dispute, proposal)) return `${proposes} That is more than what is held now, so it cannot be accepted.`
  return isOwn && other ? `${proposes} ${dispute[other].firstName} has not answered yet.` : proposes
}
