import { displayAmount } from '@holdfast/kernel/money'
import { classes } from '../../lib/class-names.js'
import { MoneyTrack } from '../deal/shared/money-line/money-track.js'
import { EXAMPLE_STEPS, PAID, PRICE, RECEIVED } from './example-deal.js'
import { useStepsOnce } from './use-steps-once.js'

/** The money travels slower here than in the product, so that the eye can follow. */
const PACE_MS = 700

/** The four steps, and the money line that shows what each does to the money. It plays once; then the steps are buttons. */
export function HowItWorks() {
  const { panel, current, show } = useStepsOnce(EXAMPLE_STEPS.length)
  const step = EXAMPLE_STEPS[current]
  if (!step) return null
  return (
    <section aria-labelledby="how-it-works" className="page">
      <h2 id="how-it-works" className="sr-only">
        How It Works
      </h2>
      <div ref={panel} className="rounded-lg border border-rule bg-surface">
        <div className="px-4 pt-8 pb-6 sm:px-10 sm:pt-12 sm:pb-9">
          <MoneyTrack view={step.view} size="full" pace={PACE_MS} />
        </div>
        <ol className="grid border-t border-rule sm:grid-cols-2 lg:grid-cols-4 lg:divide-x lg:divide-rule">
          {EXAMPLE_STEPS.map(({ title, text }, index) => (
            <li key={title} className="relative">
              <button
                type="button"
                aria-pressed={index === current}
                onClick={() => show(index)}
                className="group flex h-full w-full flex-col px-4 py-5 text-left -outline-offset-4 sm:px-6"
              >
                <span
                  aria-hidden="true"
                  className={classes(
                    'absolute inset-x-0 -top-px h-0.5 origin-left bg-ink transition-transform duration-300',
                    index === current ? 'scale-x-100' : 'scale-x-0',
                  )}
                />
                <span className="flex items-baseline gap-2 font-semibold">
                  <span className="figures text-ink-faint">{index + 1}</span>
                  <span className="decoration-edge underline-offset-4 group-hover:underline">{title}</span>
                </span>
                <span className="mt-1.5 block text-sm text-ink-soft">{text}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      <p className="mt-3 text-sm text-ink-faint">
        An example: a chair for {displayAmount(PRICE, 'USD')}. The buyer pays {displayAmount(PAID, 'USD')} by card with
        fees, the seller receives {displayAmount(RECEIVED, 'USD')}.
      </p>
    </section>
  )
}
