import type { DisputeCase } from '@holdfast/contracts/disputes'
import { isZero } from '@holdfast/kernel/money'
import type { ReactNode } from 'react'
import { Money } from '../../../components/money.js'
import type { Mark } from '../../deal/shared/money-line/money-line.types.js'
import { MoneyTrack } from '../../deal/shared/money-line/money-track.js'
import { type CasePeople, capital, does, namesOf } from './people.js'
import type { Split } from './split.view.js'

interface SplitPreviewProps {
  dispute: CasePeople & Pick<DisputeCase, 'currency'>
  split: Split
}

/** The money line as it would be after a settlement or a ruling, and the same in words. */
export function SplitPreview({ dispute, split }: SplitPreviewProps) {
  const { currency } = dispute
  return (
    <div className="grid gap-3">
      {/* The sentence below says the same. */}
      <div aria-hidden="true">
        <MoneyTrack size="full" view={{ ...namesOf(dispute), currency, marks: marksAfter(split) }} />
      </div>
      <SplitSentence dispute={dispute} split={split} />
    </div>
  )
}

/** "Theo gets $300.00 back, you get $886.50, and the fees are $29.00." */
export function SplitSentence({ dispute, split: { refund, sellerNet, fees } }: SplitPreviewProps) {
  const { currency } = dispute
  const money = (amount: string): ReactNode => <Money amount={amount} currency={currency} className="font-semibold" />
  return (
    <p>
      {capital(does('buyer', dispute, 'get', 'gets'))} {isZero(refund) ? 'nothing' : money(refund)} back,{' '}
      {does('seller', dispute, 'get', 'gets')} {isZero(sellerNet) ? 'nothing' : money(sellerNet)}, and{' '}
      {isZero(fees) ? 'there are no fees' : <>the fees are {money(fees)}</>}.
    </p>
  )
}

function marksAfter({ refund, sellerNet }: Split): readonly Mark[] {
  const marks: readonly Mark[] = [
    { at: 'buyer', amount: refund, tone: 'arrived' },
    { at: 'seller', amount: sellerNet, tone: 'arrived' },
  ]
  return marks.filter(({ amount }) => !isZero(amount))
}
