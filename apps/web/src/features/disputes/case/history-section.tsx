import type { DisputeCase } from '@holdfast/contracts/disputes'
import { Timeline } from '../../../components/timeline.js'
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
      <Timeline entries={dispute.history.toReversed().map(step => ({ ...step, by: actorWords(step.by, dispute) }))} />
    </section>
  )
}

function actorWords(by: Step['by'], people: CasePeople): string {
  if (by === 'system') return 'by the system'
  return by === 'carrier' ? 'by the carrier' : `by ${nameOf(by, people)}`
}
