import type { DealStatus } from '@holdfast/kernel/deals'
import { render, screen } from '@testing-library/react'
import { transaction } from '../../../../test/transactions.js'
import ForcedRefund from './forced-refund.js'

const show = (
  viewerRole: 'buyer' | 'seller',
  statuses: readonly DealStatus[],
  reason: string | null = 'It is broken.',
) => {
  const reached = statuses.map(status => ({ status, at: '2026-11-30T14:00:00.000Z' }))
  const deal = { ...transaction({ status: 'cancelled', viewerRole }), reached, forcedRefund: { reason } }
  return render(<ForcedRefund deal={deal} />)
}

describe('a deal that Holdfast refunded', () => {
  test('says why, and tells the seller of a parcel on its way what to do', () => {
    show('seller', ['pending', 'paid', 'shipped', 'disputed', 'cancelled'])
    expect(screen.getByText('Reason: It is broken.')).toBeTruthy()
    expect(screen.getByText(/Ask the carrier to bring it back, or agree with the buyer in the chat/)).toBeTruthy()
  })

  test('tells the seller who has not sent the item not to send it', () => {
    show('seller', ['pending', 'paid', 'cancelled'])
    expect(screen.getByText('You are not paid for the item. Do not send it.')).toBeTruthy()
  })

  test('asks the buyer who has the item to agree on its return, also without a reason', () => {
    show('buyer', ['pending', 'paid', 'shipped', 'delivered', 'inspection', 'cancelled'], null)
    expect(screen.getByText(/agree with the seller in the chat on the return/)).toBeTruthy()
    expect(screen.queryByText(/^Reason/)).toBeNull()
  })

  test('is the only kind of deal about which this is said', () => {
    const { container } = render(<ForcedRefund deal={transaction({ status: 'cancelled' })} />)
    expect(container.textContent).toBe('')
  })
})
