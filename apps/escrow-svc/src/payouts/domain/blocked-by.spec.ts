import { blocksOf } from './blocked-by.js'

const payable = {
  isVerified: true,
  emailConfirmed: true,
  status: 'ready',
  isWaiting: false,
  balanceMinor: 1n,
  payableMinor: 1n,
} as const

test.each([
  ['a verified seller with a ready account and one cent', payable, null],
  ['a seller who is not verified', { ...payable, isVerified: false }, 'not_verified'],
  ['a seller whose address is not confirmed', { ...payable, emailConfirmed: false }, 'email_not_confirmed'],
  ['a seller without an account', { ...payable, status: 'none' }, 'no_account'],
  ['a seller whose account is not finished', { ...payable, status: 'onboarding' }, 'no_account'],
  ['a seller whose account the provider has restricted', { ...payable, status: 'restricted' }, 'account_restricted'],
  ['a seller whose account was changed a short time ago', { ...payable, isWaiting: true }, 'account_changed'],
  ['a seller whose balance is below zero', { ...payable, balanceMinor: -1n, payableMinor: -1n }, 'negative_balance'],
  ['a seller whose whole balance a bank may take', { ...payable, payableMinor: 0n }, 'bank_decides'],
  ['a seller of whom a bank may take more than the balance', { ...payable, payableMinor: -1n }, 'bank_decides'],
  ['a seller without a balance', { ...payable, balanceMinor: 0n, payableMinor: 0n }, 'nothing_available'],
  [
    'a seller without a balance, of whom a bank may take something',
    { ...payable, balanceMinor: 0n, payableMinor: -1n },
    'nothing_available',
  ],
] as const)('%s: %o is blocked by %s', (_who, conditions, block) => {
  expect(blocksOf(conditions)).toEqual(block === null ? [] : [block])
})

test('a new seller is blocked by everything that is missing', () => {
  const conditions = {
    isVerified: false,
    emailConfirmed: false,
    status: 'none',
    isWaiting: false,
    balanceMinor: 0n,
    payableMinor: 0n,
  } as const
  expect(blocksOf(conditions)).toEqual(['not_verified', 'email_not_confirmed', 'no_account'])
})
