import type { PublicUser } from '@holdfast/contracts/users'
import { useState } from 'react'
import { PageHeader } from '../../components/page-header.js'
import { Stepper } from '../../components/stepper.js'
import { useStepFocus } from '../../lib/use-step-focus.js'
import { useTitle } from '../../lib/use-title.js'
import { CounterpartyStep } from './counterparty-step.js'
import { DetailsStep } from './details-step.js'
import { LegalStep } from './legal-step.js'
import { EMPTY_DETAILS, UNSIGNED } from './listing-draft.js'

const STEPS = ['Find a User', 'Details', 'Legal Documents'] as const

/** Three steps; what was typed stays when one goes back. */
export default function CreateListingPage() {
  useTitle('Start New Transaction')
  const [step, setStep] = useState(0)
  const [counterparty, setCounterparty] = useState<PublicUser | null>(null)
  const [details, setDetails] = useState(EMPTY_DETAILS)
  const [signature, setSignature] = useState(UNSIGNED)
  const heading = useStepFocus(step)
  return (
    <div className="page max-w-3xl!">
      <PageHeader
        title="Start New Transaction"
        lead="Say what is sold, at what price and on which terms. No money moves until the buyer pays."
      />
      <Stepper label="Steps to a new transaction" steps={STEPS} current={step} />
      <h2 ref={heading} tabIndex={-1} className="display mt-10 mb-6 text-xl outline-none">
        {STEPS[step]}
      </h2>
      {step === 0 && (
        <CounterpartyStep
          selected={counterparty}
          onSelect={setCounterparty}
          onSkip={() => {
            setCounterparty(null)
            setStep(1)
          }}
          onContinue={() => setStep(1)}
        />
      )}
      {step === 1 && (
        <DetailsStep
          details={details}
          counterparty={counterparty}
          onChange={setDetails}
          onBack={() => setStep(0)}
          onContinue={() => setStep(2)}
        />
      )}
      {step === 2 && (
        <LegalStep
          details={details}
          counterparty={counterparty}
          signature={signature}
          onChange={setSignature}
          onBack={() => setStep(1)}
        />
      )}
    </div>
  )
}
