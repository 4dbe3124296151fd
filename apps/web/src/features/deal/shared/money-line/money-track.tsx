import { displayAmount } from '@holdfast/kernel/money'
import { Banknote, Clock3, Lock, ShieldAlert } from 'lucide-react'
import { classes } from '../../../../lib/class-names.js'
import type { Mark, MarkTone, MoneyLineView } from './money-line.types.js'
import { STOP_POSITION } from './stops.js'

export type MoneyLineSize = 'full' | 'compact'

/** The full money line of a view: of a deal, of a dispute, of a ruling's preview, or of the landing page's example. */
export function FullMoneyLine({ view }: { view: MoneyLineView }) {
  return (
    <section aria-label="Where the money is" className="rounded-lg border border-rule bg-surface">
      <div className="px-4 pt-6 pb-5 sm:px-7 sm:pt-8">
        <MoneyTrack view={view} size="full" />
      </div>
      <div
        className={classes(
          'rounded-b-lg border-t px-4 py-4 sm:px-7',
          view.waitsFor === 'you' && 'border-needs-edge bg-needs-soft',
          view.waitsFor === 'mediator' && 'border-trouble-edge bg-trouble-soft',
          view.waitsFor !== 'you' && view.waitsFor !== 'mediator' && 'border-rule',
        )}
      >
        <Turn waitsFor={view.waitsFor} words={view.turn} className="text-lg" />
        <p className="mt-1 max-w-text text-sm text-ink-soft">{view.next}</p>
      </div>
    </section>
  )
}

interface TurnProps extends Pick<MoneyLineView, 'waitsFor'> {
  words: string
  className?: string
}

/** Whose turn it is; a mark beside it for those who do not see the colour. */
export function Turn({ waitsFor, words, className }: TurnProps) {
  return (
    <p
      className={classes(
        'flex items-start gap-2 font-semibold',
        waitsFor === 'you' && 'text-needs',
        waitsFor === 'mediator' && 'text-trouble',
        (waitsFor === 'none' || waitsFor === 'over') && 'text-ink-soft',
        className,
      )}
    >
      {waitsFor === 'you' && (
        <span aria-hidden="true" className="mt-[0.45em] size-2.5 shrink-0 rounded-full bg-needs-mark" />
      )}
      {words}
    </p>
  )
}

interface MoneyTrackProps {
  view: Pick<MoneyLineView, 'buyerName' | 'sellerName' | 'currency' | 'marks'>
  size: MoneyLineSize
  /** Milliseconds a mark takes to its next stop; the landing page is slower than the product. */
  pace?: number
}

/** Buyer — hold — seller, and the amount where it is. */
export function MoneyTrack({ view, size, pace = 200 }: MoneyTrackProps) {
  const full = size === 'full'
  const marks = view.marks ?? []
  const amounts = full || marks.length > 1
  const furthest = Math.max(0, ...marks.map(mark => STOP_POSITION[mark.at]))
  return (
    <div role="img" aria-label={describe(view, amounts)}>
      <div className={classes('relative', full ? 'h-12' : 'h-6')}>
        <div className="absolute inset-x-0 top-1/2 -translate-y-1/2 border-t-2 border-dotted border-edge" />
        <div
          className={classes(
            'absolute top-1/2 left-0 h-0.5 -translate-y-1/2 transition-[width]',
            marks.some(mark => mark.tone === 'held') ? 'bg-held' : 'bg-edge',
          )}
          style={{ width: `${furthest}%`, transitionDuration: `${pace}ms` }}
        />
        <Station at={0} full={full} />
        <Station at={50} full={full} box />
        <Station at={100} full={full} />
        {marks.map((mark, index) => (
          // The index identifies the mark: one that moves must stay the same element.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <Token key={index} mark={mark} currency={view.currency} full={full} amounts={amounts} pace={pace} />
        ))}
      </div>
      {full && (
        <div className="mt-3 grid grid-cols-3 gap-2 text-sm leading-5">
          <StationLabel title="Buyer" name={view.buyerName} />
          <StationLabel title="Hold" name="Holdfast" className="text-center" />
          <StationLabel title="Seller" name={view.sellerName} className="text-right" />
        </div>
      )}
    </div>
  )
}

function Station({ at, full, box }: { at: number; full: boolean; box?: boolean }) {
  return (
    <span
      style={{ left: `${at}%`, translate: `-${at}% -50%` }}
      className={classes(
        'absolute top-1/2 border-2 bg-surface',
        box ? 'rounded-sm border-ink' : 'rounded-full border-edge',
        full ? (box ? 'size-6' : 'size-4') : box ? 'size-3.5' : 'size-2.5',
      )}
    />
  )
}

function StationLabel({ title, name, className }: { title: string; name: string; className?: string }) {
  return (
    <div className={classes('min-w-0', className)}>
      <div className="text-ink-faint">{title}</div>
      <div className="truncate font-semibold">{name}</div>
    </div>
  )
}

const TOKEN_TONES: Record<MarkTone, string> = {
  due: 'border-edge bg-surface text-ink',
  moving: 'border-ink border-dashed bg-surface text-ink',
  held: 'border-held bg-held text-on-held',
  frozen: 'border-trouble bg-trouble-soft text-trouble',
  arrived: 'border-ink bg-ink text-on-ink',
}

const TOKEN_ICONS = { moving: Clock3, held: Lock, frozen: ShieldAlert, due: null, arrived: null } as const

interface TokenProps {
  mark: Mark
  currency: string
  full: boolean
  /** Whether the amount stands on the token. A token without it has an icon in every tone. */
  amounts: boolean
  pace: number
}

function Token({ mark, currency, full, amounts, pace }: TokenProps) {
  const Icon = TOKEN_ICONS[mark.tone] ?? (amounts ? null : Banknote)
  const at = STOP_POSITION[mark.at]
  return (
    <span
      style={{ left: `${at}%`, translate: `-${at}% -50%`, transitionDuration: `${pace}ms` }}
      className={classes(
        'figures absolute top-1/2 inline-flex items-center justify-center border font-semibold whitespace-nowrap',
        'transition-[left,translate,background-color,color,border-color] ease-(--ease-settle)',
        full ? 'h-12 gap-2 rounded-md px-3.5 text-lg' : 'h-6 gap-1 rounded-sm px-1.5 text-xs',
        TOKEN_TONES[mark.tone],
      )}
    >
      {Icon && <Icon aria-hidden="true" className={full ? 'size-4.5' : 'size-3'} />}
      {amounts && displayAmount(mark.amount, currency)}
    </span>
  )
}

const PLACES: Record<MarkTone, (view: MoneyTrackProps['view'], mark: Mark) => string> = {
  due: view => `not sent yet, with the buyer (${view.buyerName})`,
  moving: () => 'on its way into the hold, not final yet',
  held: () => 'held by Holdfast',
  frozen: () => 'held by Holdfast, frozen by a dispute',
  arrived: (view, mark) =>
    mark.at === 'buyer' ? `back with the buyer (${view.buyerName})` : `with the seller (${view.sellerName})`,
}

function describe(view: MoneyTrackProps['view'], amounts: boolean): string {
  if (view.marks === null) return 'It is not known right now where the money is.'
  if (view.marks.length === 0) return 'No money was moved.'
  return view.marks
    .map(mark => {
      const what = amounts ? displayAmount(mark.amount, view.currency) : 'The money'
      return `${what} is ${PLACES[mark.tone](view, mark)}`
    })
    .join('; ')
}
