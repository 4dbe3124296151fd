import type { DisputeCase } from '@holdfast/contracts/disputes'
import { formatDateTime } from '../../../lib/time.js'
import type { CaseProps } from './case.js'
import { type CasePeople, nameOf } from './people.js'

type Step = DisputeCase['history'][number]

/** Everything that happened in the case, newest first. */
export function HistorySection({ dispute }: CaseProps) {
  return (
    <section aria-labelledby="case-history">
      <h2 id="case-history" className="display mb-3 text-xl">
        History
      </h2>
      <ol className="border-l border-edge">
        {dispute.history.toReversed().map(step => (
          <li key={step.id} className="relative pb-5 pl-6 last:pb-0">
            <span aria-hidden="true" className="absolute top-2 -left-[4.5px] size-2 rounded-full bg-ink" />
            <p className="font-medium">{step.text}</p>
            <p className="text-sm text-ink-soft">
              <time dateTime={step.at} className="figures">
                {formatDateTime(new Date(step.at))}
              </time>
              , {actorWords(step.by, dispute)}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function actorWords(by: Step['by'], people: CasePeople): string {
  if (by === 'system') return 'by the system'
  return by === 'carrier' ? 'by the carrier' : `by ${nameOf(by, people)}`
}
