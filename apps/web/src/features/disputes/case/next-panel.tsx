import type { SettlementTerms } from '@holdfast/contracts/transactions'
import { isZero } from '@holdfast/kernel/money'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../../components/skeleton.js'
import { formatDateTime, formatTimeLeft } from '../../../lib/time.js'
import { useValueNow } from '../../../lib/use-now.js'
import { backWithBuyer } from '../../deal/shared/money.js'
import type { Mark } from '../../deal/shared/money-line/money-line.types.js'
import { FullMoneyLine } from '../../deal/shared/money-line/money-track.js'
import { type CaseProps, isToAnswer } from './case.js'
import { clockName } from './case-labels.js'
import { nextStep } from './next-step.view.js'
import { namesOf } from './people.js'

const Ended = lazy(() => import('./ended.js'))

/** Where the money is, whose turn it is and until when, and every other time limit that runs. */
export function NextPanel({ dispute }: CaseProps) {
  const { settlement, currency, clocks, status, turn } = dispute
  const step = nextStep(dispute)
  if (status === 'closed')
    return (
      <Suspense fallback={<Skeleton className="h-44 w-full" />}>
        <Ended dispute={dispute} step={step} />
      </Suspense>
    )
  return (
    <div className="grid gap-4">
      <FullMoneyLine
        view={{
          ...step,
          ...namesOf(dispute),
          currency,
          marks: settlement && marksOf(settlement),
        }}
      />
      {turn !== 'none' && clocks.length > 0 && <Clocks dispute={dispute} />}
    </div>
  )
}

/** What is held, and what went back to the buyer before. */
function marksOf(settlement: SettlementTerms): readonly Mark[] {
  const marks: readonly Mark[] = [
    { at: 'buyer', amount: backWithBuyer(settlement, settlement.currency), tone: 'arrived' },
    { at: 'hold', amount: settlement.held, tone: 'frozen' },
  ]
  return marks.filter(({ amount }) => !isZero(amount))
}

function Clocks({ dispute }: CaseProps) {
  return (
    <section aria-labelledby="time-limits">
      <h2 id="time-limits" className="text-sm font-semibold">
        Time limits
      </h2>
      <ul className="mt-1 divide-y divide-rule border-y border-rule text-sm">
        {dispute.clocks.map(({ kind, dueAt, isEscalated }) => (
          <li key={kind} className="flex flex-wrap justify-between gap-x-6 py-2">
            <span>{kind === 'response' && isToAnswer(dispute) ? 'Your answer' : clockName(kind)}</span>
            <span className="text-ink-soft">
              <time dateTime={dueAt} className="figures">
                {formatDateTime(new Date(dueAt))}
              </time>
              , <TimeLeft dueAt={dueAt} isEscalated={isEscalated} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TimeLeft({ dueAt, isEscalated }: { dueAt: string; isEscalated: boolean }) {
  const left = useValueNow(now => formatTimeLeft(new Date(dueAt), now) ?? '')
  if (isEscalated) return <span className="font-semibold text-trouble">late, and reported</span>
  return left === '' ? 'the time is up' : `${left} left`
}
