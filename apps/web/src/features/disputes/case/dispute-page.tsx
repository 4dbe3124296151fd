import type { DisputeCase } from '@holdfast/contracts/disputes'
import { pages, readId } from '@holdfast/contracts/pages'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router-dom'
import { Badge } from '../../../components/badge.js'
import { Button, ButtonLink } from '../../../components/button.js'
import { StaleNote } from '../../../components/live-sign.js'
import { PageHead } from '../../../components/page-head.js'
import { PageHeader } from '../../../components/page-header.js'
import { PageMessage } from '../../../components/page-message.js'
import { QueryState } from '../../../components/query-state.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { isStatus } from '../../../lib/api.js'
import { paths } from '../../../lib/paths.js'
import { formatDate } from '../../../lib/time.js'
import { DisputeBadge } from '../dispute-badge.js'
import { reasonLabel } from '../dispute-labels.js'
import { TakenBadge } from '../taken-badge.js'
import { type CaseProps, isBack, isToAnswer, may, mayRuleNow, useCase, waitingProposal } from './case.js'
import { NextPanel } from './next-panel.js'

// What is below or beside the first screen is loaded after it.
const About = lazy(() => import('./about.js'))
const CaseSections = lazy(() => import('./case-sections.js'))
const WithdrawDialog = lazy(() => import('../withdraw-dialog.js'))
// Only a party to whom something was proposed needs this.
const OpenProposal = lazy(() => import('./open-proposal.js'))

/** The case of a dispute, as a party or a mediator reads it. */
export default function CasePage() {
  const id = readId(useParams().id)
  const query = useCase(id)
  const { data, error } = query
  if (id === null || isStatus(error, 404)) return <NotFound />
  return (
    <>
      <PageHead page={pages.dispute} {...(data ? { title: `Dispute: ${data.title}` } : {})} />
      {data ? (
        <Case key={data.id} dispute={data} />
      ) : (
        <div className="page py-10">
          <QueryState query={query} errorTitle="The dispute could not be loaded" loading={<CaseSkeleton />} page>
            {dispute => <Case dispute={dispute} />}
          </QueryState>
        </div>
      )}
    </>
  )
}

function Case({ dispute }: CaseProps) {
  const { title, status, viewerRole } = dispute
  const isMediator = viewerRole === 'mediator'
  return (
    <div className="page">
      <PageHeader
        title={title}
        lead={leadOf(dispute)}
        back={
          isMediator ? { to: paths.adminDisputes, label: 'Dispute queue' } : { to: paths.disputes, label: 'Disputes' }
        }
        mark={
          <>
            <DisputeBadge status={status} />
            {status === 'open' && <Badge>Pending Review</Badge>}
            <TakenBadge takenBy={dispute.takenBy} mediator={dispute.mediator} />
            <StaleNote />
          </>
        }
      />
      <NextPanel dispute={dispute} />
      <ToAnswer dispute={dispute} />
      <Actions dispute={dispute} />
      <div className="mt-10 grid grid-cols-1 gap-10 lg:grid-cols-[1fr_20rem] lg:gap-14">
        <div className="grid min-w-0 content-start gap-12">
          <section aria-labelledby="what-happened">
            <h2 id="what-happened" className="display text-xl">
              What happened
            </h2>
            <p className="mt-2 max-w-text typed">{dispute.description}</p>
            {dispute.adminNotes && (
              <div className="mt-4 border-l-2 border-ink pl-4">
                <h3 className="text-sm font-semibold">Notes of the mediator</h3>
                <p className="max-w-text typed">{dispute.adminNotes}</p>
              </div>
            )}
          </section>
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <CaseSections dispute={dispute} />
          </Suspense>
        </div>
        <Suspense fallback={<Skeleton className="h-56 w-full" />}>
          <About dispute={dispute} />
        </Suspense>
      </div>
    </div>
  )
}

/** "Item not received, filed by Ben on Nov 29, 2026" */
function leadOf(dispute: DisputeCase): string {
  const { reason, reporterId, buyer, seller, createdAt } = dispute
  const reporter = reporterId === buyer.id ? 'buyer' : reporterId === seller.id ? 'seller' : null
  const by = reporter === null ? 'the system' : reporter === dispute.viewerRole ? 'you' : dispute[reporter].firstName
  return `${reasonLabel(reason)}, filed by ${by} on ${formatDate(new Date(createdAt))}`
}

/** The proposal that waits for the reader’s answer. */
function ToAnswer({ dispute }: CaseProps) {
  const proposal = waitingProposal(dispute)
  if (!proposal) return null
  return (
    <section aria-labelledby="to-answer" className="mt-5">
      <h2 id="to-answer" className="sr-only">
        Waits for your answer
      </h2>
      <Suspense fallback={<Skeleton className="h-60 w-full rounded-lg" />}>
        <OpenProposal dispute={dispute} proposal={proposal} />
      </Suspense>
    </section>
  )
}

/** The ways to what the reader can do now. */
function Actions({ dispute }: CaseProps) {
  const { id } = dispute
  const [withdrawing, setWithdrawing] = useState(false)
  const hasProposal = waitingProposal(dispute) !== undefined
  const links = [
    may(dispute, 'investigate') && dispute.takenBy === null && { to: 'mediate', label: 'Take the Case' },
    may(dispute, 'decideRuling') && { to: 'request-title', label: 'See the Ruling' },
    mayRuleNow(dispute) && { to: 'rule', label: 'Rule' },
    may(dispute, 'appeal', 'waiveAppeal') && { to: 'ruling', label: 'Read the Ruling' },
    may(dispute, 'shipReturn') && !dispute.return?.shippedAt && { to: 'return', label: 'Send the Item Back' },
    may(dispute, 'confirmReturn', 'contestReturn') && { to: 'return', label: returnLabel(dispute) },
    may(dispute, 'addEvidence') && { to: 'evidence', label: isToAnswer(dispute) ? 'Answer' : 'Add Evidence' },
    may(dispute, 'propose') && { to: 'settlement', label: hasProposal ? 'Propose Another Amount' : 'Settle' },
  ].filter(link => link !== false)
  return (
    <nav aria-label="What you can do" className="mt-5 flex flex-wrap gap-3 empty:hidden">
      {links.map(({ to, label }, index) => (
        <ButtonLink
          key={label}
          to={`${paths.dispute(id)}#${to}`}
          kind={index === 0 && !hasProposal ? 'primary' : 'quiet'}
        >
          {label}
        </ButtonLink>
      ))}
      {may(dispute, 'withdraw') && (
        <Button kind="bare" onClick={() => setWithdrawing(true)}>
          Withdraw
        </Button>
      )}
      <Suspense>
        <WithdrawDialog dispute={dispute} open={withdrawing} onClose={() => setWithdrawing(false)} />
      </Suspense>
    </nav>
  )
}

const returnLabel = (dispute: DisputeCase) => (isBack(dispute) ? 'Check the Return' : 'See the Return')

function NotFound() {
  return (
    <PageMessage title="Dispute Not Found" actions={<ButtonLink to={paths.disputes}>Go to Disputes</ButtonLink>}>
      The dispute you're looking for doesn't exist or you don't have access to it.
    </PageMessage>
  )
}

function CaseSkeleton() {
  return (
    <Loading label="Loading dispute" page>
      <Skeleton className="h-10 w-2/3" />
      <Skeleton className="mt-9 h-44 w-full rounded-lg" />
      <div className="mt-10 grid grid-cols-1 gap-10 lg:grid-cols-[1fr_20rem] lg:gap-14">
        <Skeleton className="h-96 w-full" />
        <Skeleton className="h-56 w-full" />
      </div>
    </Loading>
  )
}
