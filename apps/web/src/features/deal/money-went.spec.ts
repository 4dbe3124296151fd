import type { PartyEntryKind } from '@holdfast/kernel/ledger'
import { moneyWent, type Posting } from './money-went.js'

const LABELS = {
  provider_clearing: 'Payment provider',
  hold: 'Held in escrow',
  seller_payable: 'Seller’s balance',
  revenue: 'Holdfast’s fees',
  refund_due: 'Refund to the buyer',
} as const
type Kind = keyof typeof LABELS

const posting = (entry: PartyEntryKind, debit: Kind, credit: Kind, amount: string): Posting => ({
  entryId: entry,
  entry,
  debit: { kind: debit, label: LABELS[debit] },
  credit: { kind: credit, label: LABELS[credit] },
  amount,
  currency: 'USD',
  at: '2026-11-30T14:00:00.000Z',
})
const charge = posting('charge', 'provider_clearing', 'hold', '433.40')
const release = [posting('release', 'hold', 'seller_payable', '413.70'), posting('release', 'hold', 'revenue', '19.70')]

describe('where the money went', () => {
  test('before anything is paid there is nothing to say', () => {
    expect(moneyWent([])).toBeNull()
  })

  test('while it is held, all of it is in the hold', () => {
    expect(moneyWent([charge])).toMatchObject({
      paid: '433.40',
      places: [{ label: 'Held in escrow', amount: '433.40' }],
      sum: '433.40',
    })
  })

  test('after the release the parts of seller and fees sum to what was paid, to the cent', () => {
    const went = moneyWent([charge, ...release])
    expect(went?.places).toEqual([
      { label: 'Held in escrow', amount: '0.00' },
      { label: 'Seller’s balance', amount: '413.70' },
      { label: 'Holdfast’s fees', amount: '19.70' },
    ])
    expect(went).toMatchObject({ sum: '433.40' })
    expect(went?.steps.map(step => [step.title, step.rows.length])).toEqual([
      ['The payment arrived', 1],
      ['The funds were released', 2],
    ])
  })

  test('a partial refund shows each part to the cent, and the parts sum to what was paid', () => {
    const went = moneyWent([
      charge,
      posting('release', 'hold', 'seller_payable', '213.69'),
      posting('release', 'hold', 'revenue', '19.70'),
      posting('refund', 'hold', 'refund_due', '200.01'),
    ])
    expect(went?.places).toEqual([
      { label: 'Held in escrow', amount: '0.00' },
      { label: 'Seller’s balance', amount: '213.69' },
      { label: 'Holdfast’s fees', amount: '19.70' },
      { label: 'Refund to the buyer', amount: '200.01' },
    ])
    expect(went).toMatchObject({ sum: '433.40' })
  })

  test('a refund lies with the provider until it is confirmed, and with the buyer afterwards', () => {
    const ordered = [charge, posting('refund', 'hold', 'refund_due', '433.40')]
    expect(moneyWent(ordered)?.places.at(-1)).toEqual({ label: 'Refund to the buyer', amount: '433.40' })
    const sent = [...ordered, posting('refund_confirmed', 'refund_due', 'provider_clearing', '433.40')]
    expect(moneyWent(sent)?.places.at(-1)).toEqual({ label: 'Back with the buyer', amount: '433.40' })
    expect(moneyWent(sent)?.sum).toBe('433.40')
  })

  test('a refund that the buyer’s bank returned is owed again, and the payment is counted once', () => {
    const went = moneyWent([
      charge,
      posting('refund', 'hold', 'refund_due', '433.40'),
      posting('refund_confirmed', 'refund_due', 'provider_clearing', '433.40'),
      posting('refund_returned', 'provider_clearing', 'refund_due', '433.40'),
    ])
    expect(went).toMatchObject({
      paid: '433.40',
      places: [
        { label: 'Held in escrow', amount: '0.00' },
        { label: 'Refund to the buyer', amount: '433.40' },
      ],
      sum: '433.40',
    })
    expect(went?.steps.at(-1)?.title).toBe('The buyer’s bank returned the refund')
  })
})
