import { adminRoutes } from 'virtual:admin-routes'
import { lazy, Suspense, useState } from 'react'
import { Skeleton } from '../../../components/skeleton.js'
import { isAnswered, useCall } from '../../../lib/use-call.js'
import { type CaseProps, isToAnswer, may, mayRuleNow, paramsOf } from './case.js'
import { EvidenceSection } from './evidence-section.js'
import { HistorySection } from './history-section.js'
import { ReturnSection } from './return-section.js'
import { RulingSection } from './ruling-section.js'
import { SettlementSection } from './settlement-section.js'

// Only a mediator needs these.
const DealFile = lazy(() => import('./deal-file.js'))
const RuleForm = lazy(() => import('./rule-form.js'))
const RulingRequest = lazy(() => import('./ruling-request.js'))
const TakeOver = lazy(() => import('./take-over.js'))
const TakeCase = lazy(() => import('./take-case.js'))

/** Everything that was done in the case, and what its reader can do. */
export default function CaseSections({ dispute }: CaseProps) {
  return (
    <>
      <ReturnSection dispute={dispute} />
      <RulingSection dispute={dispute} />
      {dispute.viewerRole === 'mediator' ? <MediatorSections dispute={dispute} /> : <PartySections dispute={dispute} />}
      <HistorySection dispute={dispute} />
    </>
  )
}

/** The order stays the same while the page is shown, so that nothing moves while someone types. */
function PartySections({ dispute }: CaseProps) {
  const [answersFirst] = useState(() => isToAnswer(dispute))
  const sections = [
    <SettlementSection key="settlement" dispute={dispute} />,
    <EvidenceSection key="evidence" dispute={dispute} />,
  ]
  return answersFirst ? sections.toReversed() : sections
}

function MediatorSections({ dispute }: CaseProps) {
  const file = useCall(adminRoutes.getDisputeFile, { params: paramsOf(dispute) })
  return (
    <>
      <EvidenceSection dispute={dispute} />
      <SettlementSection dispute={dispute} />
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <DealFile dispute={dispute} query={file} />
        <MediatorForms dispute={dispute} isFileShown={isAnswered(file)} />
      </Suspense>
    </>
  )
}

/** The forms wait for the file above them: it would push the field that someone types in out of the window. */
function MediatorForms({ dispute, isFileShown }: CaseProps & { isFileShown: boolean }) {
  const { settlement } = dispute
  const { rulingRequest } = dispute
  if (!may(dispute, 'investigate', 'rule', 'decideRuling')) return null
  return (
    <div id="mediate" tabIndex={-1} className="grid scroll-mt-20 outline-none gap-10 border-t-2 border-ink pt-8">
      <Suspense fallback={<FormsSkeleton />}>
        {isFileShown ? (
          <>
            {may(dispute, 'investigate') &&
              (dispute.takenBy === 'other' ? <TakeOver dispute={dispute} /> : <TakeCase dispute={dispute} />)}
            {may(dispute, 'decideRuling') && rulingRequest && (
              <RulingRequest key={rulingRequest.id} dispute={dispute} request={rulingRequest} />
            )}
            {mayRuleNow(dispute) && settlement && <RuleForm dispute={dispute} terms={settlement} />}
            {mayRuleNow(dispute) && !settlement && (
              <p className="text-ink-soft">
                What the deal holds cannot be read right now, so a ruling cannot be shown in amounts. Try again soon.
              </p>
            )}
          </>
        ) : (
          <FormsSkeleton />
        )}
      </Suspense>
    </div>
  )
}

const FormsSkeleton = () => <Skeleton className="h-72 w-full" />
