import { parseAmount } from '@holdfast/kernel/money'
import { deal } from '../../../../test/deals.js'
import { CONFIRMED_COMMANDS, commandWords } from './command-words.js'

const asked = (inspectionPeriod: number) => ({
  ...deal({ completesOnDelivery: inspectionPeriod === 0 }),
  listing: { inspectionPeriod } as Parameters<typeof commandWords>[1]['listing'],
})

describe('the question before a command', () => {
  test('accepting names every cent of what is held', () => {
    const { split, confirm } = commandWords('accept', asked(3))
    expect(split.map(part => [part.label, part.amount])).toEqual([
      ['To Ana', '98.50'],
      ['Holdfast’s fees (already paid in)', '8.50'],
    ])
    const sum = split.reduce((total, part) => total + parseAmount(part.amount, 'USD'), 0n)
    expect(sum).toBe(parseAmount('107.00', 'USD'))
    expect(confirm).toBe('Accept and Release $98.50')
  })

  test('confirming delivery of an item sold as-is says beforehand that it pays the seller at once', () => {
    const words = commandWords('confirm_delivery', asked(0))
    expect(words.question).toContain('releases the money to Ana at once')
    expect(words.confirm).toContain('$98.50')
    expect(words.final).toBe(true)
  })

  test('confirming delivery with an inspection moves no money', () => {
    const words = commandWords('confirm_delivery', asked(5))
    expect(words.question).toContain('5 days')
    expect(words.split).toEqual([])
    expect(words.final).toBe(false)
  })

  test('confirming before the item was sent is not worded as the next step', () => {
    const paid = commandWords('confirm_delivery', asked(3))
    expect(paid.button).toBe('I Already Have the Item')
    expect(paid.question).toContain('Ana has not said that the item was sent')
    const shipped = commandWords('confirm_delivery', { ...asked(3), status: 'shipped' })
    expect(shipped.button).toBe('Confirm Delivery')
    expect(shipped.question).not.toContain('has not said')
  })

  test('a refund gives back everything that is held', () => {
    const words = commandWords('refund', asked(3))
    expect(words.split).toEqual([{ label: 'Back to Ben', amount: '107.00' }])
    expect(words.confirm).toBe('Refund $107.00')
  })

  test('a seller who has accepted nothing declines, and reads that they pay nothing', () => {
    const words = commandWords('refund', { ...asked(3), sellerAccepted: false })
    expect([words.button, words.confirm]).toEqual(['Decline Transaction', 'Decline Transaction'])
    expect(words.question).toContain('Everything Ben paid goes back, fees included. You pay nothing.')
    expect(words.split).toEqual([{ label: 'Back to Ben', amount: '107.00' }])
  })

  test('a refund after a part went back is called the rest', () => {
    const money = { ...deal().money, held: '97.00', refunded: '10.00' }
    const words = commandWords('refund', { ...asked(3), money })
    expect([words.button, words.title]).toEqual(['Refund the Rest', 'Refund the rest to Ben?'])
    expect(words.question).toContain('Everything that is still held goes back to Ben')
    expect(words.confirm).toBe('Refund $97.00')
  })

  test('who was named as the other party declines, and who opened the transaction cancels it', () => {
    expect(commandWords('cancel', asked(3)).button).toBe('Cancel Transaction')
    const named = commandWords('cancel', { ...asked(3), viewerRole: 'seller' })
    expect([named.button, named.title]).toEqual(['Decline Transaction', 'Decline this transaction?'])
  })

  test.each(CONFIRMED_COMMANDS)('%s has a button, a question and words while it runs', command => {
    const words = commandWords(command, asked(3))
    expect(words.title).toMatch(/\?$/)
    expect(words.question).toMatch(/\.$/)
    expect(words.busy).toMatch(/\.\.\.$/)
  })
})
