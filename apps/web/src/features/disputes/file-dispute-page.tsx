import type { Transaction } from '@holdfast/contracts/transactions'
import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { LoadError } from '../../components/load-error.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Stepper } from '../../components/stepper.js'
import { paths, readId } from '../../lib/paths.js'
import { useDraft } from '../../lib/use-draft.js'
import { useStepAddress } from '../../lib/use-step-address.js'
import { useStepFocus } from '../../lib/use-step-focus.js'
import { useTitle } from '../../lib/use-title.js'
import { type DisputeDraft, EMPTY_DRAFT, reachableStep } from './dispute-draft.js'
import { DetailsStep, ReviewStep, SelectStep } from './dispute-steps.js'
import { eligible, WIZARD_STATUSES } from './eligible.js'
import { useDisputes } from './use-disputes.js'

const STEPS = ['Select Transaction', 'Dispute Details', 'Review & Submit'] as const

export default function FileDisputePage() {
  useTitle('File a Dispute')
  const { user, disputes, deals, error, retry } = useDisputes()
  const open = disputes && deals ? eligible(deals, disputes, WIZARD_STATUSES) : undefined
  return (
    <div className="page max-w-3xl!">
      <PageHeader
        title="File a Dispute"
        lead="The transaction is placed on hold until resolution. The money stays where it is."
        back={{ to: paths.disputeResolution, label: 'Back' }}
      />
      {open && open.length > 0 && <Wizard deals={open} userId={user.id} />}
      {open?.length === 0 && <NothingToDispute />}
      {!open && error && <LoadError title="Your transactions could not be loaded" error={error} retry={retry} />}
      {!open && !error && (
        <Loading label="Loading transactions">
          <Skeleton className="h-10 w-full" />
          <Skeleton className="mt-8 h-20 w-full rounded-lg" />
          <Skeleton className="mt-3 h-20 w-full rounded-lg" />
        </Loading>
      )}
    </div>
  )
}

function NothingToDispute() {
  return (
    <EmptyState
      title="No transactions available for dispute"
      action={
        <ButtonLink to={paths.dashboard} kind="quiet">
          Go to Dashboard
        </ButtonLink>
      }
    >
      A transaction can be disputed while its money is held: from the payment until the item is accepted.
    </EmptyState>
  )
}

function Wizard({ deals, userId }: { deals: readonly Transaction[]; userId: string }) {
  const { value: kept, set: setDraft, forget } = useDraft<DisputeDraft>('dispute', EMPTY_DRAFT)
  const [asked, goTo] = useStepAddress()
  useChosenElsewhere(transactionId => setDraft(before => ({ ...before, transactionId })))
  // A draft may be about a deal that can be disputed no longer.
  const draft = { ...kept, transactionId: deals.find(({ id }) => id === kept.transactionId)?.id ?? null }
  const step = reachableStep(draft, asked)
  const heading = useStepFocus(step)
  const shared = { draft, onChange: setDraft, onBack: () => goTo(step - 1), onContinue: () => goTo(step + 1) }
  return (
    <>
      <Stepper label="Steps to a dispute" steps={STEPS} current={step} />
      <h2 ref={heading} tabIndex={-1} className="display mt-10 mb-6 text-xl outline-none">
        {STEPS[step]}
      </h2>
      {step === 0 && <SelectStep {...shared} deals={deals} userId={userId} />}
      {step === 1 && <DetailsStep {...shared} />}
      {step === 2 && (
        <ReviewStep {...shared} deal={deals.find(({ id }) => id === draft.transactionId)} onFiled={forget} />
      )}
    </>
  )
}

/** A link on a deal's page names the deal. Another one can still be chosen here. */
function useChosenElsewhere(choose: (transactionId: number) => void) {
  const [address, setAddress] = useSearchParams()
  const chosen = readId(address.get('transaction') ?? undefined)
  const take = useEffectEvent((id: number) => {
    choose(id)
    setAddress({}, { replace: true })
  })
  useEffect(() => {
    if (chosen !== null) take(chosen)
  }, [chosen])
}
