import type { ListedDispute } from '@holdfast/contracts/disputes'
import { pages } from '@holdfast/contracts/pages'
import { useState } from 'react'
import { Badge } from '../../components/badge.js'
import { Button } from '../../components/button.js'
import { dialogOnDemand } from '../../components/dialog-on-demand.js'
import { EmptyState } from '../../components/empty-state.js'
import { StaleNote } from '../../components/live-sign.js'
import { LoadError } from '../../components/load-error.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { DisputeCard } from './dispute-card.js'
import { DIALOG_STATUSES } from './eligible.js'
import type { FileDisputeDialogProps } from './file-dispute-dialog.js'
import { useDisputableDeals, useDisputes } from './use-disputes.js'

const PROCESS = [
  { title: 'File', text: 'You say what happened. The transaction is placed on hold until resolution.' },
  { title: 'Investigation', text: 'A mediator reads the terms, the chat and what both sides send.' },
  { title: 'Mediation', text: 'Both of you say what happened, and may settle at any amount.' },
  { title: 'Resolution', text: 'A ruling to the cent, which can be appealed within 7 days.' },
] as const

const FileDisputeDialog = dialogOnDemand<FileDisputeDialogProps>(() => import('./file-dispute-dialog.js'))

export default function DisputesPage() {
  const [filing, setFiling] = useState(false)
  const { user, data: disputes, error, mutate } = useDisputes()
  const disputable = useDisputableDeals(disputes, DIALOG_STATUSES)
  return (
    <div className="page">
      <PageHead page={pages.disputes} />
      <PageHeader
        title="Disputes"
        lead="During a dispute the money stays held. A dispute does not move the deadlines of whoever filed it, and has deadlines of its own."
        mark={
          <>
            {disputes && <Badge>{disputes.length === 1 ? '1 dispute' : `${disputes.length} disputes`}</Badge>}
            <StaleNote />
          </>
        }
        actions={
          disputable.isNone ? (
            <Badge>No transactions available for dispute</Badge>
          ) : (
            <Button disabled={!disputable.deals} onClick={() => setFiling(true)}>
              File New Dispute
            </Button>
          )
        }
      />
      <ol className="mb-12 grid border-t-2 border-ink sm:grid-cols-2 lg:grid-cols-4">
        {PROCESS.map((step, index) => (
          <li key={step.title} className="py-4 pr-6">
            <p className="font-semibold">
              <span className="figures mr-2 font-normal text-ink-faint">{index + 1}</span>
              {step.title}
            </p>
            <p className="mt-1 text-sm text-ink-soft">{step.text}</p>
          </li>
        ))}
      </ol>
      {error && !disputes ? (
        <LoadError title="Your disputes could not be loaded" error={error} retry={() => void mutate()} />
      ) : (
        <DisputeList disputes={disputes} userId={user.id} />
      )}
      <FileDisputeDialog open={filing} onOpenChange={setFiling} disputable={disputable} reporterId={user.id} />
    </div>
  )
}

interface DisputeListProps {
  disputes: ListedDispute[] | undefined
  userId: string
}

function DisputeList({ disputes, userId }: DisputeListProps) {
  if (!disputes) {
    return (
      <Loading label="Loading disputes">
        <Skeleton className="h-40 w-full rounded-lg" />
        <Skeleton className="mt-5 h-40 w-full rounded-lg" />
      </Loading>
    )
  }
  if (disputes.length === 0) {
    return <EmptyState title="No disputes">If a deal goes wrong, file one here before you accept the item.</EmptyState>
  }
  return (
    <ul className="grid gap-5">
      {disputes.map(dispute => (
        <li key={dispute.id}>
          <DisputeCard dispute={dispute} userId={userId} />
        </li>
      ))}
    </ul>
  )
}
