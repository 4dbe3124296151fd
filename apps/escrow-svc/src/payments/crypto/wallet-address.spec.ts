import { isSameWallet, walletProblem } from './wallet-address.js'

describe('a Bitcoin address', () => {
  // From BIP 173, BIP 350 and the first blocks.
  it.each([
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    'bc1sw50qgdz25j',
  ])('is accepted: %s', address => {
    expect(walletProblem('bitcoin', address)).toBeNull()
  })

  it.each([
    'bc1qexample',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    // Version 1 with the checksum of version 0, and the other way round.
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well',
    // Of the test network, and of another one.
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    'LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])('is refused: %s', address => {
    expect(walletProblem('bitcoin', address)).toContain('not a Bitcoin address')
  })
})

describe('an Ethereum address', () => {
  // From EIP-55.
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ])('is accepted for Ether and its tokens: %s', address => {
    for (const asset of ['ethereum', 'usdc', 'usdt'] as const) expect(walletProblem(asset, address)).toBeNull()
  })

  it('is refused when a letter has the wrong case, and when it is no address', () => {
    expect(walletProblem('ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed')).toContain('mistyped')
    expect(walletProblem('usdc', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe')).toContain('USDC')
    expect(walletProblem('usdt', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toContain('not an Ethereum address')
  })

  it.each([
    '0x0000000000000000000000000000000000000000',
    '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
  ])('is refused when nobody has it: %s', address => {
    for (const asset of ['ethereum', 'usdc', 'usdt'] as const)
      expect(walletProblem(asset, address)).toContain('not a wallet')
  })
})

describe('two addresses', () => {
  it('are the same wallet in letters of either case, where case means nothing', () => {
    const [ether, segwit] = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']
    expect(isSameWallet('usdc', ether, ether.toLowerCase())).toBe(true)
    expect(isSameWallet('bitcoin', segwit, segwit.toUpperCase())).toBe(true)
    expect(isSameWallet('ethereum', ether, '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359')).toBe(false)
  })

  it('are two wallets in base58, where case is part of the address', () => {
    const address = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
    expect(isSameWallet('bitcoin', address, address.toLowerCase())).toBe(false)
  })
})
