import type { escrowAdminRoutes } from '@holdfast/contracts/admin-escrow'
import type { Output } from '@holdfast/contracts/route'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { giveReason, list, openConsole, press } from '../../../../test/console.js'
import { type Handler, refusal } from '../../../../test/fake-server.js'
import { uuid } from '../../../../test/ids.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  window.scrollTo = () => undefined
})

type LedgerAccount = Output<typeof escrowAdminRoutes.listAccounts>[number]
const account = (name: string, balance: string): LedgerAccount => ({
  ...{ account: name, kind: name.split(':')[0] as LedgerAccount['kind'], currency: 'USD' },
  ...{ debits: '0.00', credits: balance, balance },
})

describe('a refund of a deal', () => {
  const openWith = async (held: string) => {
    openConsole('/admin/refunds', {
      'GET /api/admin/refunds': list([]),
      'GET /api/admin/ledger/accounts': list([account('hold:7', held)]),
    })
    await press('Refund a deal')
    expect(await screen.findByText(/Above \$500\.00 another admin must approve it first\./)).toBeTruthy()
    await userEvent.type(await screen.findByLabelText('Transaction'), '7')
  }

  test('of up to the limit says that it is done at once', async () => {
    await openWith('500.00')
    expect(
      await screen.findByText(/^\$500\.00 goes back to the buyer.* Up to \$500\.00 it is done at once\.$/),
    ).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Refund in full' })).toBeTruthy()
  })

  test('of more than the limit only asks for approval, and names the limit', async () => {
    await openWith('500.01')
    expect(await screen.findByText(/^Nothing at first: this is more than \$500\.00, so another admin/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Ask for approval' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Refund in full' })).toBeNull()
  })

  test('that holds nothing says so', async () => {
    await openWith('0.00')
    expect(await screen.findByText('Transaction 7 holds nothing: there is nothing to refund.')).toBeTruthy()
  })
})

test('a payout again of more than the limit only asks for approval, for the whole balance and not what came back', async () => {
  const payout = {
    ...{ id: uuid(71), sellerId: uuid(2), amount: '98.50', currency: 'USD', status: 'returned', attempts: 1 },
    ...{ lastError: null, failure: 'The bank account is closed.', updatedAt: '2026-11-22T10:00:00.000Z' },
  }
  openConsole('/admin/payouts', {
    'GET /api/admin/payouts': list([payout]),
    'GET /api/admin/ledger/accounts': list([account(`seller_payable:${uuid(2)}`, '600.00')]),
  })
  await press('Ana Ruiz')
  expect(
    await screen.findByText(
      /more than \$500\.00.* balance of \$600\.00 is paid out, without what a bank may still take/,
    ),
  ).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Ask for approval' })).toBeTruthy()
})

describe('an adjustment', () => {
  const openWith = async (more: Readonly<Record<string, Handler>>) => {
    const sent = openConsole('/admin/ledger', {
      'GET /api/admin/ledger/accounts': list([]),
      'GET /api/admin/ledger/trial-balance': list([]),
      ...more,
    })
    await press('Adjust')
    return sent
  }
  const fill = async (debit: string, credit: string, amount: string) => {
    for (const [label, value] of Object.entries({ Debit: debit, Credit: credit, Amount: amount }))
      await userEvent.type(await screen.findByLabelText(label), value)
  }
  const preview: Handler = ({ query }) => {
    const asked = Object.fromEntries(query)
    return {
      body: {
        debit: { account: asked.debit, before: '20.00', after: '-580.00' },
        credit: { account: asked.credit, before: '1.00', after: '601.00' },
        ...{ currency: asked.currency, needsApproval: true },
      },
    }
  }

  test('shows both balances before and after, as the server says, and names the limit', async () => {
    const sent = await openWith({
      'GET /api/admin/ledger/adjustments/preview': preview,
      'POST /api/admin/ledger/adjustments': () => ({ body: { state: 'waiting', approvalId: uuid(21) } }),
    })
    expect(await screen.findByText('Above $500.00 another admin must approve it first.')).toBeTruthy()
    await fill('provider_costs', 'revenue', '600')
    const balances = within(await screen.findByRole('table', { name: 'Balances before and after' }))
    expect(balances.getByRole('row', { name: 'provider_costs $20.00 -$580.00' })).toBeTruthy()
    expect(balances.getByRole('row', { name: 'revenue $1.00 $601.00' })).toBeTruthy()
    await giveReason('A fee that was forgotten')
    await press('Ask for approval')
    expect(await screen.findByText('Waits for a second admin')).toBeTruthy()
    expect(sent).toEqual([
      {
        ...{ debit: 'provider_costs', credit: 'revenue', amount: '600.00', currency: 'USD' },
        reason: 'A fee that was forgotten',
      },
    ])
  })

  test('that the server would refuse says so at the field before it is sent', async () => {
    await openWith({
      'GET /api/admin/ledger/adjustments/preview': () =>
        refusal('VALIDATION_FAILED', undefined, { fields: { debit: 'Only revenue can be adjusted' } }),
    })
    await fill('hold:7', 'revenue', '12.34')
    expect(await screen.findByText('Only revenue can be adjusted')).toBeTruthy()
    expect(screen.getByLabelText('Debit').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('This entry cannot be posted: see above.')).toBeTruthy()
  })

  test('of an admin’s own balance says that another admin must post it', async () => {
    await openWith({ 'GET /api/admin/ledger/adjustments/preview': () => refusal('FORBIDDEN') })
    await fill(`seller_payable:${uuid(1)}`, 'revenue', '12.34')
    expect(await screen.findByText('It would move your own balance, so another admin must post it.')).toBeTruthy()
  })

  test.each([
    ['1.000', 'This can be read as $1.00 or as $1,000.00. Write 1.00 or 1,000.00.'],
    ['12.345', 'If you mean $12,345.00, write 12,345.00.'],
    ['-5', /^Write the amount like 3,000.00/],
    ['ten', /^Write the amount like 3,000.00/],
    ['0.00', 'Enter an amount above zero.'],
  ])('is not sent with the amount %s', async (amount, words) => {
    const sent = await openWith({})
    await fill('provider_costs', 'revenue', amount)
    await giveReason('A fee that was forgotten')
    await press('Post the entry')
    expect(await screen.findByText(words)).toBeTruthy()
    expect(sent).toEqual([])
  })
})
