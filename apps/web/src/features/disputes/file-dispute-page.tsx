import type { Dispute } from '@holdfast/contracts/disputes'
import { pages, readId } from '@holdfast/contracts/pages'
import { lazy, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { EmptyState } from '../../components/empty-state.js'
import { LoadError } from '../../components/load-error.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { useStepAddress, Wizard } from '../../components/wizard.js'
import { paths } from '../../lib/paths.js'
import { useUnsavedChanges } from '../../lib/unsaved-changes.js'
import { useDraft } from '../../lib/use-draft.js'
import { useTransaction } from '../deal/shared/deal.js'
import { type DisputeAnswers, NO_ANSWERS, reachableStep } from './dispute-form.js'
import { notInDispute, WIZARD_STATUSES } from './eligible.js'
import { SelectStep } from './select-step.js'
import { type DisputableDeals, useDisputableDeals, useDisputes } from './use-disputes.js'

// The code of these steps is loaded when they are opened. The step before stays until then, because each step is a navigation.
const DetailsStep = lazy(() => import('./details-step.js'))
const ReviewStep = lazy(() => import('./review-step.js'))

const STEPS = ['Select Transaction', 'Dispute Details', 'Review & Submit'] as const

export default function FileDisputePage() {
  const { user, data: disputes, error, mutate } = useDisputes()
  const disputable = useDisputableDeals(disputes, WIZARD_STATUSES)
  const failure = error ?? disputable.error
  return (
    <div className="page max-w-3xl!">
      <PageHead page={pages.fileDispute} />
      <PageHeader
        title="File a Dispute"
        lead="The transaction is placed on hold until resolution. The money stays where it is."
        back={{ to: paths.disputeResolution, label: 'Back' }}
      />
      {disputable.isNone && <NothingToDispute />}
      {disputes && disputable.deals && !disputable.isNone && (
        <DisputeWizard disputes={disputes} disputable={disputable} userId={user.id} />
      )}
      {!disputable.deals && failure && (
        <LoadError
          title="Your transactions could not be loaded"
          error={failure}
          retry={() => {
            void mutate()
            disputable.retry()
          }}
        />
      )}
      {!disputable.deals && !failure && (
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
      A transaction can be disputed while its money is held: from the payment until the item is accepted. A seller whom
      you have named must accept it first; otherwise you get everything back in time without a dispute.
    </EmptyState>
  )
}

interface WizardProps {
  disputes: readonly Dispute[]
  disputable: DisputableDeals
  userId: string
}

function DisputeWizard({ disputes, disputable, userId }: WizardProps) {
  const { value: draft, set: setDraft, forget } = useDraft<DisputeAnswers>('dispute', NO_ANSWERS)
  const [asked, goTo] = useStepAddress()
  useChosenElsewhere(transactionId => setDraft(before => ({ ...before, transactionId })))
  const chosen = useChosenDeal(draft.transactionId, disputes, disputable)
  // A draft may be about a deal that can no longer be disputed.
  const answers = { ...draft, transactionId: chosen?.id ?? null }
  const step = reachableStep(answers, asked)
  const [opened] = useState(draft)
  const isTyped = draft.reason !== opened.reason || draft.description !== opened.description
  const endQuestion = useUnsavedChanges(isTyped && (draft.reason !== '' || draft.description !== ''))
  const end = () => {
    forget()
    endQuestion()
  }
  const shared = { answers, onChange: setDraft, onBack: () => goTo(step - 1), onContinue: () => goTo(step + 1) }
  return (
    <Wizard label="Steps to a dispute" steps={STEPS} step={step}>
      {step === 0 && <SelectStep {...shared} disputable={disputable} chosen={chosen} userId={userId} />}
      {step === 1 && <DetailsStep {...shared} />}
      {step === 2 && <ReviewStep {...shared} deal={chosen} onFiled={end} />}
    </Wizard>
  )
}

/** The chosen deal if it can be disputed. One that is on a page that is not loaded is asked for by its id. */
function useChosenDeal(id: number | null, disputes: readonly Dispute[], { deals }: DisputableDeals) {
  const listed = deals?.find(deal => deal.id === id)
  const { data } = useTransaction(listed ? null : id)
  if (listed || !data || !WIZARD_STATUSES.includes(data.status)) return listed
  return notInDispute([data], disputes)[0]
}

/** A link on a deal's page names the deal. Another one can still be chosen here. */
function useChosenElsewhere(choose: (transactionId: number) => void) {
  const [address, setAddress] = useSearchParams()
  const chosen = readId(address.get('transaction') ?? undefined)
  const take = useEffectEvent((id: number) => {
    choose(id)
    setAddress({}, { replace: true, preventScrollReset: true })
  })
  useEffect(() => {
    if (chosen !== null) take(chosen)
  }, [chosen])
}
