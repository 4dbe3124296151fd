import type { DisputeCase, Proposal } from '@holdfast/contracts/disputes'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../components/skeleton.js'
import { formatDateTime } from '../../../lib/time.js'
import { type CaseProps, may, waitingProposal } from './case.js'
import { PROPOSAL_STATES } from './case-labels.js'
import OpenProposal from './open-proposal.js'
import { nameOf, otherSide, proposalWords } from './people.js'

// Only a party who may propose something needs the form.
const ProposalForm = lazy(() => import('./proposal-form.js'))

/** What the parties have proposed to each other, and the form for a proposal. */
export function SettlementSection({ dispute }: CaseProps) {
  const { proposals } = dispute
  const mayPropose = may(dispute, 'propose')
  if (!mayPropose && proposals.length === 0) return null
  return (
    <section
      id="settlement"
      tabIndex={-1}
      aria-labelledby="settlement-title"
      className="grid scroll-mt-20 outline-none gap-5"
    >
      <div>
        <h2 id="settlement-title" className="display text-xl">
          Settlement
        </h2>
        <p className="mt-1 max-w-text text-sm text-ink-soft">{introOf(dispute)}</p>
      </div>
      {openProposals(dispute).map(proposal => (
        <OpenProposal key={proposal.id} dispute={dispute} proposal={proposal} />
      ))}
      {mayPropose && dispute.settlement && (
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <ProposalForm dispute={dispute} terms={dispute.settlement} />
        </Suspense>
      )}
      {mayPropose && !dispute.settlement && (
        <p className="text-ink-soft">A settlement cannot be computed right now. Nothing has changed; try again soon.</p>
      )}
      <PastProposals dispute={dispute} />
    </section>
  )
}

function introOf(dispute: DisputeCase): string {
  if (dispute.turn === 'bank')
    return 'Nothing can be settled until the bank has decided. What was proposed before waits until then.'
  const other = otherSide(dispute.viewerRole)
  return other && dispute.status !== 'closed'
    ? `You and ${nameOf(other, dispute)} can agree on any amount that goes back to the buyer. Once both of you agree, the money leaves the hold at once and the dispute is closed.`
    : 'What the parties have proposed to each other.'
}

function PastProposals({ dispute }: CaseProps) {
  const past = dispute.proposals.filter(({ state }) => state !== 'open')
  if (past.length === 0) return null
  return (
    <div>
      <h3 className="text-sm font-semibold">Earlier proposals</h3>
      <ul className="mt-1 divide-y divide-rule border-y border-rule text-sm">
        {past.map(proposal => (
          <li key={proposal.id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span>{proposalWords(proposal, dispute, 'past')}</span>
            <span className="text-ink-soft">
              {PROPOSAL_STATES[proposal.state]},{' '}
              <time dateTime={proposal.at} className="figures">
                {formatDateTime(new Date(proposal.at))}
              </time>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The one that waits for the reader stands at the head of the page. */
const openProposals = (dispute: DisputeCase): Proposal[] =>
  dispute.proposals.filter(each => each.state === 'open' && each !== waitingProposal(dispute))
