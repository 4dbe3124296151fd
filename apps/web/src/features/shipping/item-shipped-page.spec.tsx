import type { Transaction } from '@holdfast/contracts/transactions'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { anaSignedIn, ben } from '../../../test/people.js'
import { forgetAnswers, show } from '../../../test/show.js'
import { transaction } from '../../../test/transactions.js'
import { Protected } from '../../app/protected.js'
import { refreshAfter } from '../../lib/live/changes.js'
import ItemShippedPage from './item-shipped-page.js'

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const NUMBER = '1Z999AA1'

function showPage(shown: Transaction, more = {}) {
  const server = fakeServer({
    'GET /api/auth/user': () => ({ body: shown.viewerRole === 'buyer' ? ben : anaSignedIn }),
    'GET /api/transactions/42': () => ({ body: shown }),
    ...more,
  })
  show(
    <Protected>
      <ItemShippedPage />
    </Protected>,
    '/item-shipped/42',
    '/item-shipped/:id',
  )
  return server
}
const toSeller = (change: Parameters<typeof transaction>[0] = {}) => transaction({ viewerRole: 'seller', ...change })

describe('the seller', () => {
  test('must enter a number, although the field is called optional', async () => {
    const { calls } = showPage(toSeller())
    await userEvent.type(await screen.findByLabelText('Tracking Number (optional)'), '   ')
    await userEvent.click(screen.getByRole('button', { name: 'Save Tracking Info' }))
    expect((await screen.findAllByText('Please enter a tracking number.')).length).toBeGreaterThan(0)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Tracking Number (optional)')))
    expect(calls.filter(call => call.startsWith('POST'))).toEqual([])
  })

  test('saves the number trimmed', async () => {
    const sent: unknown[] = []
    showPage(toSeller(), {
      'POST /api/transactions/42/tracking': ({ body }: { body: unknown }) => {
        sent.push(body)
        return { body: { id: 42, status: 'shipped' } }
      },
    })
    await userEvent.type(await screen.findByLabelText('Tracking Number (optional)'), `  ${NUMBER} `)
    await userEvent.click(screen.getByRole('button', { name: 'Save Tracking Info' }))
    expect(await screen.findByText('Tracking information has been saved successfully.')).toBeTruthy()
    expect(sent).toEqual([{ trackingNumber: NUMBER, carrier: null, changed: ['trackingNumber'] }])
  })

  describe('whose other tab has corrected the number', () => {
    const travelling = (trackingNumber: string) => toSeller({ status: 'shipped', trackingNumber, carrier: 'UPS' })
    const numberField = () => screen.findByLabelText<HTMLInputElement>('Tracking Number (optional)')
    const carrierField = () => screen.getByLabelText<HTMLInputElement>(/^Carrier/)

    /** Types a carrier beside the old number. */
    async function typeCarrier() {
      const sent: unknown[] = []
      const shown = { deal: travelling('OLD123456') }
      showPage(shown.deal, {
        'GET /api/transactions/42': () => ({ body: shown.deal }),
        'POST /api/transactions/42/tracking': ({ body }: { body: unknown }) => {
          sent.push(body)
          return { body: { id: 42, status: 'shipped' } }
        },
      })
      await numberField()
      await userEvent.type(carrierField(), ' Express')
      return { sent, shown }
    }

    test('sends the new number with what was typed beside the old one', async () => {
      const { sent, shown } = await typeCarrier()
      shown.deal = travelling('NEW123456')
      await act(() => refreshAfter({ kind: 'transaction', transactionId: 42 }))
      await waitFor(async () => expect((await numberField()).value).toBe('NEW123456'))
      await userEvent.click(screen.getByRole('button', { name: 'Save Tracking Info' }))
      expect(await screen.findByText('Tracking information has been saved successfully.')).toBeTruthy()
      expect(sent).toEqual([{ trackingNumber: 'NEW123456', carrier: 'UPS Express', changed: ['carrier'] }])
    })

    test('sends the old number as unchanged while they have not heard of the new one', async () => {
      const { sent } = await typeCarrier()
      await userEvent.click(screen.getByRole('button', { name: 'Save Tracking Info' }))
      await waitFor(() => expect(sent).toMatchObject([{ trackingNumber: 'OLD123456', changed: ['carrier'] }]))
    })

    test('finds the new number, and what was typed, when they come back', async () => {
      await typeCarrier()
      cleanup()
      await act(forgetAnswers)
      showPage(travelling('NEW123456'))
      await waitFor(async () => expect((await numberField()).value).toBe('NEW123456'))
      expect(carrierField().value).toBe('UPS Express')
    })
  })

  test('reads the server’s reason for a refusal', async () => {
    showPage(toSeller(), {
      'POST /api/transactions/42/tracking': () => refusal('ESCROW_WRONG_STATE', 'The transaction was refunded.'),
    })
    await userEvent.type(await screen.findByLabelText('Tracking Number (optional)'), NUMBER)
    await userEvent.click(screen.getByRole('button', { name: 'Save Tracking Info' }))
    expect(await screen.findByText('The transaction was refunded.')).toBeTruthy()
  })

  test('cannot confirm delivery, and reads who can', async () => {
    showPage(toSeller())
    expect(await screen.findByText(/Ben can confirm receipt here/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Mark as Delivered' })).toBeNull()
  })

  test('reads where to say that there is no carrier', async () => {
    showPage(toSeller())
    expect(await screen.findByText(/choose “Hand Over in Person” on the transaction page/)).toBeTruthy()
    cleanup()
    showPage(toSeller({ status: 'in_progress' }))
    expect(await screen.findByText(/^When Ben has the item/)).toBeTruthy()
  })
})

describe('the buyer', () => {
  test('cannot save tracking', async () => {
    showPage(transaction())
    expect(await screen.findByText(/Ana has not shipped yet/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save Tracking Info' })).toBeNull()
  })

  test('confirms delivery and comes to the transaction', async () => {
    showPage(transaction(), {
      'POST /api/transactions/42/confirm-delivery': () => ({ body: { id: 42, status: 'inspection' } }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as Delivered' }))
    expect(await screen.findByText('At /transaction/42')).toBeTruthy()
    expect(screen.getByText('Item has been marked as delivered. Moving to inspection period.')).toBeTruthy()
  })

  test('reads that the seller has not sent the item yet, and when to confirm all the same', async () => {
    showPage(transaction())
    expect(await screen.findByText(/Ana has not said that the item was sent/)).toBeTruthy()
    cleanup()
    showPage(transaction({ status: 'in_progress' }))
    expect(await screen.findByText(/^Confirm once you have received the item/)).toBeTruthy()
    expect(screen.queryByText(/has not said/)).toBeNull()
  })

  test('is warned before an as-is item’s money is released', async () => {
    showPage(transaction({ completesOnDelivery: true }))
    expect(await screen.findByText('This releases the money at once')).toBeTruthy()
    expect(screen.getByText(/\$98\.50 goes to Ana/)).toBeTruthy()
  })
})

describe('an as-is item', () => {
  const asIs = transaction({ completesOnDelivery: true })
  const CONFIRM = 'POST /api/transactions/42/confirm-delivery'

  test('is not released by one click: a question says first what happens to the money', async () => {
    const { calls } = showPage(asIs, { [CONFIRM]: () => ({ body: { id: 42, status: 'completed' } }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as Delivered' }))
    expect(await screen.findByText('Has the item arrived?')).toBeTruthy()
    expect(screen.getByRole('alertdialog')).toBeTruthy()
    expect(screen.getByText(/releases the money to Ana at once, and this cannot be taken back/)).toBeTruthy()
    expect(calls).not.toContain(CONFIRM)
    await userEvent.click(screen.getByRole('button', { name: 'It Arrived, Release $98.50' }))
    expect(await screen.findByText('At /transaction/42')).toBeTruthy()
    expect(calls.filter(call => call === CONFIRM)).toHaveLength(1)
  })

  test('stays held when the buyer goes back', async () => {
    const { calls } = showPage(asIs)
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as Delivered' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Go Back' }))
    expect(screen.queryByText('Has the item arrived?')).toBeNull()
    expect(calls).not.toContain(CONFIRM)
  })
})

describe('the parcel', () => {
  const travelling = transaction({ status: 'shipped', trackingNumber: NUMBER })
  const tracking = {
    trackingNumber: NUMBER,
    carrier: 'UPS',
    status: 'delivered',
    statusDescription: 'Left with a neighbour',
    location: 'Porto',
    estimatedDelivery: null,
    lastUpdate: '2026-11-29T10:00:00.000Z',
    delivered: true,
  }

  test('delivered, it says that the inspection begins by itself', async () => {
    showPage(travelling, { [`GET /api/tracking/${NUMBER}`]: () => ({ body: tracking }) })
    expect(await screen.findByText('Package Delivered!')).toBeTruthy()
    expect(screen.getByText('Left with a neighbour')).toBeTruthy()
  })

  test('unknown to the carrier yet, it asks for patience', async () => {
    showPage(travelling)
    expect(await screen.findByText('No tracking information available yet.')).toBeTruthy()
    expect(screen.getByText('Tracking data may take a few minutes to appear.')).toBeTruthy()
  })

  test('under a number of five characters or fewer, it is not looked up', async () => {
    const { calls } = showPage(transaction({ status: 'shipped', trackingNumber: '12345' }))
    await waitFor(() => expect(screen.getByText('No tracking information available yet.')).toBeTruthy())
    expect(calls.filter(call => call.includes('/api/tracking/'))).toEqual([])
  })
})

test('the summary names the status in capitals, and the buyer with their address', async () => {
  showPage(toSeller({ status: 'in_progress' }))
  expect(await screen.findByText('IN PROGRESS')).toBeTruthy()
  expect(screen.getByText('Ben Okafor')).toBeTruthy()
  expect(screen.getByText('ben@example.com')).toBeTruthy()
})
