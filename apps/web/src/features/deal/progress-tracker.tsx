import type { Transaction } from '@holdfast/contracts/transactions'
import { Check } from 'lucide-react'
import { classes } from '../../lib/class-names.js'
import { formatDateTime } from '../../lib/time.js'
import { type ProgressStep, progressOf } from './progress.view.js'

/** The six steps of a deal with the time at which each was reached, until when the inspection runs, and a bar of their share. */
export function ProgressTracker({ deal }: { deal: Transaction }) {
  const { steps, completed, percent } = progressOf(deal)
  const inspectionEndsAt = deal.clock?.kind === 'inspection' ? deal.clock.dueAt : null
  return (
    <section aria-label="Progress">
      <div
        role="progressbar"
        aria-label="Progress of the transaction"
        aria-valuemin={0}
        aria-valuemax={steps.length}
        aria-valuenow={completed}
        aria-valuetext={`${completed} of ${steps.length} steps complete`}
        className="h-1 rounded-full bg-rule"
      >
        <div className="h-full rounded-full bg-ink transition-[width] duration-200" style={{ width: `${percent}%` }} />
      </div>
      <ol className="mt-4 grid grid-cols-1 gap-x-3 gap-y-2.5 sm:grid-cols-3 lg:grid-cols-6">
        {steps.map(step => (
          <Step key={step.label} step={step} until={step.state === 'current' ? inspectionEndsAt : null} />
        ))}
      </ol>
    </section>
  )
}

function Step({ step: { label, state, at }, until }: { step: ProgressStep; until: string | null }) {
  const time = at ?? until
  return (
    <li aria-current={state === 'current' ? 'step' : undefined} className="flex gap-2.5 lg:block">
      <span
        aria-hidden="true"
        className={classes(
          'mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border',
          state === 'complete' && 'border-ink bg-ink text-on-ink',
          state === 'current' && 'border-2 border-ink',
          state === 'ahead' && 'border-edge',
        )}
      >
        {state === 'complete' && <Check strokeWidth={3} className="size-3" />}
      </span>
      <span className="text-sm lg:mt-2 lg:block">
        <span className={classes('block', state === 'ahead' ? 'text-ink-faint' : 'font-semibold')}>
          {label}
          <span className="sr-only">{STATE_WORDS[state]}</span>
        </span>
        {time && (
          <time dateTime={time} className="figures block text-xs text-ink-soft">
            {at === null && 'Until '}
            {formatDateTime(new Date(time))}
          </time>
        )}
      </span>
    </li>
  )
}

const STATE_WORDS = { complete: ', complete', current: ', current', ahead: ', not reached yet' } as const
