import type { DisputeCase, Ruling } from '@holdfast/contracts/disputes'
import { partOfPrice } from '@holdfast/kernel/disputes'
import { useState } from 'react'
import { Badge } from '../../../components/badge.js'
import { Button } from '../../../components/button.js'
import { formatDateTime } from '../../../lib/time.js'
import { AppealDialog } from './appeal-dialog.js'
import { type CaseProps, may } from './case.js'
import { OUTCOME_LABELS, outcomeText } from './case-labels.js'
import { capital, does } from './people.js'
import { splitAt } from './split.view.js'
import { SplitPreview } from './split-preview.js'
import { WaiveDialog } from './waive-dialog.js'

/** What mediators have ruled, the latest first, and what a party can do about it. */
export function RulingSection({ dispute }: CaseProps) {
  const { rulings, appeal } = dispute
  if (rulings.length === 0) return null
  return (
    <section id="ruling" tabIndex={-1} aria-labelledby="ruling-title" className="grid scroll-mt-20 outline-none gap-5">
      <h2 id="ruling-title" className="display text-xl">
        Ruling
      </h2>
      {rulings.toReversed().map((ruling, index) => (
        <RulingArticle key={ruling.at} dispute={dispute} ruling={ruling} isLatest={index === 0} />
      ))}
      {appeal && (
        <div className="border-l-2 border-ink pl-4">
          <h3 className="text-sm font-semibold">{capital(does(appeal.role, dispute, 'appealed', 'appealed'))}</h3>
          <p className="text-sm text-ink-soft">
            <time dateTime={appeal.at} className="figures">
              {formatDateTime(new Date(appeal.at))}
            </time>
          </p>
          <p className="max-w-text typed">{appeal.reason}</p>
        </div>
      )}
      <AfterRuling dispute={dispute} />
    </section>
  )
}

interface RulingArticleProps {
  dispute: DisputeCase
  ruling: Ruling
  isLatest: boolean
}

function RulingArticle({ dispute, ruling, isLatest }: RulingArticleProps) {
  const { outcome, refundAmount, resolution, at, isOnAppeal, isFinal } = ruling
  const { settlement, currency } = dispute
  // Not while a mediator decides again, and not once the dispute is closed: then the deal shows what each got.
  const stands = isLatest && dispute.status === 'resolved'
  const split = stands && settlement && splitAt(settlement, refundAmount)
  return (
    <article className="rounded-lg border border-rule bg-surface p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-lg font-semibold">{OUTCOME_LABELS[outcome]}</h3>
        {isFinal && dispute.status !== 'investigating' && <Badge tone="done">Final</Badge>}
      </div>
      <p className="text-sm text-ink-soft">
        {isOnAppeal ? 'Final decision of a mediator' : 'Ruled by a mediator'},{' '}
        <time dateTime={at} className="figures">
          {formatDateTime(new Date(at))}
        </time>
      </p>
      <p className="mt-2 max-w-text">{outcomeText(outcome, partOfPrice(refundAmount, currency))}</p>
      {split && (
        <div className="mt-4">
          {outcome === 'return_exchange' && <p className="mb-2 text-sm text-ink-soft">When the item is back:</p>}
          <SplitPreview dispute={dispute} split={split} />
        </div>
      )}
      <h4 className="mt-4 text-sm font-semibold">Reasons</h4>
      <p className="max-w-text typed">{resolution}</p>
      {isLatest && <Waivers dispute={dispute} ruling={ruling} />}
    </article>
  )
}

function Waivers({ dispute, ruling: { waivedBy, isFinal } }: Omit<RulingArticleProps, 'isLatest'>) {
  if (isFinal || waivedBy.length === 0) return null
  return (
    <p className="mt-3 text-sm text-ink-soft">
      {waivedBy.map(role => `${capital(does(role, dispute, 'have', 'has'))} given up the right to appeal.`).join(' ')}
    </p>
  )
}

function AfterRuling({ dispute }: CaseProps) {
  const [asked, setAsked] = useState<'appeal' | 'waive' | null>(null)
  if (!may(dispute, 'appeal', 'waiveAppeal')) return null
  const close = () => setAsked(null)
  return (
    <div className="flex flex-wrap gap-3">
      {may(dispute, 'appeal') && (
        <Button kind="quiet" onClick={() => setAsked('appeal')}>
          Appeal
        </Button>
      )}
      {may(dispute, 'waiveAppeal') && (
        <Button kind="quiet" onClick={() => setAsked('waive')}>
          Waive My Right to Appeal
        </Button>
      )}
      <AppealDialog open={asked === 'appeal'} onClose={close} dispute={dispute} />
      <WaiveDialog open={asked === 'waive'} onClose={close} dispute={dispute} />
    </div>
  )
}
