import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { ButtonLink } from '../../components/button.js'
import { PageHead } from '../../components/page-head.js'
import { PageHeader } from '../../components/page-header.js'
import { Panel } from '../../components/panel.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { Spinner } from '../../components/spinner.js'
import { paths } from '../../lib/paths.js'
import { toast } from '../../lib/toast.js'
import { refresh } from '../../lib/use-call.js'
import { BillingTerms } from './billing-terms.js'
import { useConfirmedPremium } from './use-confirmed-premium.js'
import { type SubscribingStage, useSubscribing } from './use-subscribing.js'

// Loaded later, so that the price and the terms can be read first.
const SubscribeForm = lazy(() => import('./subscribe-form.js'))

/** The calls whose answers change with the plan. */
const STALE = [routes.getCurrentUser, routes.getSubscription, routes.listInvoices, routes.listPaymentMethods] as const

/** Paying for Premium: the subscription is opened when the page is loaded. */
export default function SubscribePage() {
  const { stage, setStage, choose } = useSubscribing()
  if (stage.name === 'failed') return <Failed />
  const isLate = stage.name === 'ready' && stage.opened.status === 'past_due'
  return (
    <div className="page">
      <PageHead page={pages.subscribe} />
      <PageHeader
        title={isLate ? 'Pay for Premium' : 'Subscribe to Premium'}
        back={{ to: paths.upgrade, label: 'Back to Upgrade' }}
        lead={
          isLate
            ? 'Your card was declined for this period. Premium goes on as soon as another one has paid.'
            : 'The lower fee holds for every transaction that you open from then on.'
        }
      />
      <Body stage={stage} onPaid={() => setStage({ name: 'confirming' })} onChoose={choose} />
    </div>
  )
}

interface BodyProps {
  stage: SubscribingStage
  onPaid: () => void
  onChoose: ReturnType<typeof useSubscribing>['choose']
}

function Body({ stage, onPaid, onChoose }: BodyProps) {
  const [isPaying, setPaying] = useState(false)
  switch (stage.name) {
    case 'premium':
      return <HasPremium />
    case 'confirming':
      return <Confirming />
    case 'ready':
      return (
        <div className="grid grid-cols-1 gap-8 lg:grid-cols-[1fr_27rem] lg:gap-x-14">
          <BillingTerms opened={stage.opened} onChoose={onChoose} locked={isPaying} />
          <Panel className="self-start">
            <h2 className="mb-4 font-semibold">Payment Method</h2>
            <Suspense fallback={<Skeleton className="h-96 rounded-lg" />}>
              <SubscribeForm opened={stage.opened} problem={stage.problem} onPaid={onPaid} onBusy={setPaying} />
            </Suspense>
          </Panel>
        </div>
      )
    default:
      return (
        <Loading label="Preparing your subscription">
          <div className="grid grid-cols-1 gap-8 lg:grid-cols-[1fr_27rem] lg:gap-x-14">
            <Skeleton className="h-64 rounded-lg" />
            <Skeleton className="h-112 rounded-lg" />
          </div>
        </Loading>
      )
  }
}

function Failed() {
  return (
    <div className="page">
      <PageHead page={pages.subscribe} />
      <PageHeader
        title="Unable to Process Subscription"
        back={{ to: paths.upgrade, label: 'Back to Upgrade' }}
        lead="The card form could not be prepared, and this page charged nothing. Your profile shows your present plan and what you have paid for it."
      />
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.upgrade}>Try Again</ButtonLink>
        <ButtonLink to={paths.support} kind="quiet">
          Contact Support
        </ButtonLink>
      </div>
    </div>
  )
}

/** Welcomes a user who comes back from their bank after the payment. Any other user reads that there is nothing to pay. */
function HasPremium() {
  const [params] = useSearchParams()
  const comesFromBank = params.get('redirect_status') !== null
  useWelcome(comesFromBank)
  if (comesFromBank) return null
  return (
    <div className="max-w-text">
      <p className="mb-5 text-ink-soft">You have Premium already, and it is paid. There is nothing to pay now.</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.payouts}>View Your Plan</ButtonLink>
        <ButtonLink to={paths.dashboard} kind="quiet">
          Back to Dashboard
        </ButtonLink>
      </div>
    </div>
  )
}

function Confirming() {
  const { isConfirmed, isSlow } = useConfirmedPremium()
  useWelcome(isConfirmed)
  return (
    <div role="status" className="grid max-w-text gap-4">
      <p className="flex items-center gap-3 text-lg font-semibold">
        <Spinner className="size-5" />
        Processing...
      </p>
      <p className="text-ink-soft">
        Your card was accepted. We wait for the payment provider to confirm the payment; there is no need to pay again.
      </p>
      {isSlow && (
        <>
          <p className="text-ink-soft">
            This takes longer than usual. You can leave this page: Premium begins as soon as the provider has confirmed
            the payment, and you are notified.
          </p>
          <div>
            <ButtonLink to={paths.dashboard} kind="quiet">
              Back to Dashboard
            </ButtonLink>
          </div>
        </>
      )}
    </div>
  )
}

/** Says that Premium has begun, and goes on to the dashboard. */
function useWelcome(isPremium: boolean) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isPremium) return
    toast('Welcome to Premium!', 'The transactions that you open from now on have the lower fee.')
    void refresh(...STALE)
    navigate(paths.dashboard, { replace: true })
  }, [isPremium, navigate])
}
