import { pages } from '@holdfast/contracts/pages'
import { lazy, useState } from 'react'
import { Button } from '../../components/button.js'
import { Notice } from '../../components/notice.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { useStepAddress, Wizard } from '../../components/wizard.js'
import { useUnsavedChanges } from '../../lib/unsaved-changes.js'
import { useDraft } from '../../lib/use-draft.js'
import { CounterpartyStep } from './counterparty-step.js'
import {
  changedDraft,
  DRAFT_VERSION,
  EMPTY_DRAFT,
  isOnDetailsStep,
  isSameDraft,
  type ListingDraft,
  reachableStep,
  withDetails,
} from './listing-draft.js'

// The code of a step is loaded when it is opened. The step before stays until then, because each step is a navigation.
const DetailsStep = lazy(() => import('./details-step.js'))
const LegalStep = lazy(() => import('./legal-step.js'))

const STEPS = ['Find a User', 'Details', 'Legal Documents'] as const

/**
 * Three steps, each with an address of its own, so that Back leads to the step before; what was typed stays until it is
 * sent or dropped.
 */
export default function CreateListingPage() {
  const { value: draft, set, isRestored, forget } = useDraft('create-listing', EMPTY_DRAFT, DRAFT_VERSION)
  const [asked, goTo] = useStepAddress()
  const step = reachableStep(draft, asked)
  const { counterparty, details, signature, sent } = draft
  const [isTaken, setIsTaken] = useState(false)
  const [refused, setRefused] = useState<Readonly<Record<string, string>>>({})
  /** A user who changes the draft wants to keep it, so the notice that offers to start over disappears. */
  const edit = (next: (before: ListingDraft) => ListingDraft) => {
    setIsTaken(true)
    set(before => changedDraft(before, next(before)))
  }
  // What an earlier visit left was kept then, and is kept again.
  const [opened] = useState(draft)
  const endQuestion = useUnsavedChanges(!isSameDraft(draft, opened) && !isSameDraft(draft, EMPTY_DRAFT))
  const end = () => {
    forget()
    endQuestion()
  }
  const change = (part: Partial<ListingDraft>) => edit(before => ({ ...before, ...part }))
  return (
    <div className="page max-w-3xl!">
      <PageHead page={pages.createListing} />
      <PageHeader
        title="Start New Transaction"
        lead="Say what is sold, at what price and on which terms. No money moves until the buyer pays."
      />
      {isRestored && !isTaken && (
        <div className="mb-8">
          <Notice
            title="Your draft is still here"
            action={
              <>
                <Button kind="quiet" size="sm" onClick={() => setIsTaken(true)}>
                  Keep Draft
                </Button>
                <Button
                  kind="quiet"
                  size="sm"
                  onClick={() => {
                    set(EMPTY_DRAFT)
                    goTo(0)
                  }}
                >
                  Start Over
                </Button>
              </>
            }
          >
            What you entered in this tab was kept, and nothing has been sent.
          </Notice>
        </div>
      )}
      <Wizard label="Steps to a new transaction" steps={STEPS} step={step}>
        {step === 0 && (
          <CounterpartyStep
            selected={counterparty}
            onSelect={selected => change({ counterparty: selected })}
            onSkip={() => {
              set(before => ({ ...before, counterparty: null }))
              goTo(1)
            }}
            onContinue={() => goTo(1)}
          />
        )}
        {step === 1 && (
          <DetailsStep
            details={details}
            counterparty={counterparty}
            onChange={next => edit(before => withDetails(before, next(before.details)))}
            onBack={() => goTo(0)}
            refused={refused}
            onCancel={end}
            onContinue={() => {
              setRefused({})
              setIsTaken(true)
              goTo(2)
            }}
          />
        )}
        {step === 2 && (
          <LegalStep
            details={details}
            counterparty={counterparty}
            signature={signature}
            sent={sent}
            onSend={request => set(before => ({ ...before, sent: request }))}
            onChange={signed => change({ signature: signed })}
            onBack={() => goTo(1)}
            onRefused={fields => {
              setRefused(fields)
              if (Object.keys(fields).some(isOnDetailsStep)) goTo(1)
            }}
            onCreated={end}
          />
        )}
      </Wizard>
    </div>
  )
}
