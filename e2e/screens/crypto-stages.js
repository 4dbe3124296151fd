import { WALLET } from '../support/wallet.js'

const AT = '2026-11-20T10:00:00.000Z'
const back = (cause, assetAmount, isSent) => ({
  cause,
  assetCurrency: 'BTC',
  assetAmount,
  walletAddress: WALLET,
  isSent,
  at: AT,
})

/** What a payment in cryptocurrency can come to. Each takes a network's time, so the server's answer is changed. */
export const CRYPTO_STAGES = [
  {
    name: 'too little',
    shows: ['0.0005 BTC is too little', /^It does not pay for this transaction/],
    status: 'open',
    payment: { stage: 'short', received: '0.0005' },
    returns: [],
  },
  {
    name: 'underpaid',
    shows: ['0.0005 BTC was too little', 'On its way back', 'Show Amount and Address'],
    status: 'failed',
    payment: { stage: 'underpaid', received: '0.0005' },
    returns: [back('underpaid', '0.0005', false)],
  },
  {
    name: 'late',
    shows: ['0.00190313 BTC came too late', 'Returned', 'Show Amount and Address'],
    status: 'failed',
    payment: { stage: 'late', received: '0.00190313' },
    returns: [back('late', '0.00190313', true), back('overpaid', '0.0001', true)],
  },
  {
    name: 'expired',
    shows: ['This amount has expired', 'Show Amount and Address'],
    status: 'failed',
    payment: { stage: 'expired' },
    returns: [],
  },
]

/** The answer about the payment of a deal. */
export const inCrypto = ({ status, payment, returns }) => ({
  to: /\/api\/transactions\/\d+\/payment$/,
  status: 200,
  json: {
    ...{ status, method: 'crypto', bankTransfer: null, cryptoReturns: returns },
    cryptoPayment: {
      ...{ asset: 'bitcoin', assetCurrency: 'BTC', assetAmount: '0.00190313', walletAddress: WALLET, received: '0' },
      ...{ depositAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', paymentUri: 'bitcoin:bc1qar0srrr7xfkvy5l643' },
      ...{ expiresAt: AT, total: '121.80', currency: 'USD' },
      ...payment,
    },
  },
})
