import { useNow } from '../../../../lib/use-now.js'
import type { MoneyLineDeal, MoneyLineView } from './money-line.types.js'
import { moneyLine } from './money-line.view.js'
import { FullMoneyLine, type MoneyLineSize, MoneyTrack, Turn } from './money-track.js'

interface MoneyLineProps {
  deal: MoneyLineDeal
  size?: MoneyLineSize
  /** Whose turn it is, where a dispute says it and not the deal. */
  turn?: Pick<MoneyLineView, 'turn' | 'waitsFor'> | undefined
}

/**
 * A deal's money line: at the head of a transaction (`full`), or in a row of a list (`compact`). The compact line only
 * shows where the money is: the row beside it shows the viewer's own amount, which is another one than the hold's. After
 * a division it shows both parts.
 */
export function MoneyLine({ deal, size = 'full', turn }: MoneyLineProps) {
  const view = { ...moneyLine(deal, useNow()), ...turn }
  return size === 'full' ? <FullMoneyLine view={view} /> : <CompactMoneyLine view={view} />
}

function CompactMoneyLine({ view }: { view: MoneyLineView }) {
  return (
    <div className="min-w-0">
      <MoneyTrack view={view} size="compact" />
      <Turn waitsFor={view.waitsFor} words={view.turn} className="mt-2 text-sm" />
    </div>
  )
}
