import { newId } from '@holdfast/kernel/ids'
import { counterpartyIdOf } from './counterparty.js'

describe('the counterparty of a listing', () => {
  const maker = newId()
  const other = newId()

  it('is the user who was selected', () => {
    expect(counterpartyIdOf({ userRole: 'seller', selectedUserId: other, sellerId: maker }, maker)).toBe(other)
    expect(counterpartyIdOf({ userRole: 'buyer', selectedUserId: other, buyerId: maker }, maker)).toBe(other)
  })

  it('is otherwise the party whose role the maker does not have', () => {
    expect(counterpartyIdOf({ userRole: 'seller', buyerId: other, sellerId: maker }, maker)).toBe(other)
    expect(counterpartyIdOf({ userRole: 'buyer', sellerId: other, buyerId: maker }, maker)).toBe(other)
  })

  it('is null when the request names no other user, also when the maker sends a wrong id as their own', () => {
    expect(counterpartyIdOf({ userRole: 'seller', sellerId: newId() }, maker)).toBeNull()
    expect(counterpartyIdOf({ userRole: 'buyer', selectedUserId: null, sellerId: null }, maker)).toBeNull()
  })

  it('is never the maker', () => {
    expect(() => counterpartyIdOf({ userRole: 'seller', selectedUserId: maker }, maker)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_FAILED',
        details: { fields: { selectedUserId: expect.any(String) } },
      }),
    )
  })
})
