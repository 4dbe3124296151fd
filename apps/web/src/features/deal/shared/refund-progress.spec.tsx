import { render, screen } from '@testing-library/react'
import { chargeback } from '../../../../test/deals.js'
import { transaction } from '../../../../test/transactions.js'
import RefundProgress from './refund-progress.js'

describe('the notice about a refund', () => {
  test.each([
    ['on_its_way', 'The refund is on its way', /^It goes back the way you paid/],
    ['returned', 'The refund was sent', /^The payment provider has sent it back the way you paid/],
    ['failed', 'The refund failed', /will send it again or contact you\.$/],
  ] as const)('says of one that is %s: %s', (refund, title, text) => {
    render(<RefundProgress deal={transaction({ status: 'cancelled', refund })} />)
    expect(screen.getByText(title)).toBeTruthy()
    expect(screen.getByText(text)).toBeTruthy()
  })

  test('says of one that is not sent while a bank decides that it waits', () => {
    const waiting = transaction({ status: 'cancelled', refund: 'on_its_way', chargeback: chargeback('open') })
    render(<RefundProgress deal={waiting} />)
    expect(screen.getByText('The refund waits for the bank')).toBeTruthy()
  })
})
