/** Whether a text is an address in an asset's network. Decoding and hashes are those of the audited libraries. */
import { CRYPTO_ASSETS, type CryptoAsset } from '@holdfast/kernel/crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { bech32, bech32m, createBase58check } from '@scure/base'

/** The first bytes of Bitcoin's base58 addresses: to a key's hash, and to a script's hash. */
const BASE58_VERSIONS = [0x00, 0x05]
const HASH_BYTES = 20
const MAX_WITNESS_VERSION = 16
/** BIP 141: a witness program has 2 to 40 bytes, and one of version 0 has 20 or 32. BIP 341: one of version 1 has 32. */
const PROGRAM_BYTES = { min: 2, max: 40, version0: [20, 32], version1: 32 }

/** Money that is sent to these is lost: the zero address, and the contracts of the tokens themselves (USDC, USDT). */
const UNSPENDABLE_ADDRESSES: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0xdac17f958d2ee523a2206206994597c13d831ec7',
])

const base58check = createBase58check(sha256)

/** What is wrong with an address for an asset, in words for its owner; null when nothing is. */
export function walletProblem(asset: CryptoAsset, address: string): string | null {
  const { network, currency } = CRYPTO_ASSETS[asset]
  if (network === 'Bitcoin')
    return isBitcoinAddress(address) ? null : 'This is not a Bitcoin address. Copy it from your wallet.'
  if (/^0x[0-9a-f]{40}$/i.test(address)) {
    if (UNSPENDABLE_ADDRESSES.has(address.toLowerCase())) return NOT_A_WALLET
    return hasEthereumChecksum(address) ? null : MISTYPED
  }
  return `This is not an Ethereum address, which ${currency} needs. Copy it from your wallet.`
}

/** Whether two addresses of an asset's network are the same wallet. Case counts only in Bitcoin's base58. */
export function isSameWallet(asset: CryptoAsset, one: string, other: string): boolean {
  if (one === other) return true
  const ignoresCase = CRYPTO_ASSETS[asset].network !== 'Bitcoin' || /^bc1/i.test(one)
  return ignoresCase && one.toLowerCase() === other.toLowerCase()
}

const NOT_A_WALLET =
  'This address is not a wallet: money that is sent to it is lost. Copy the address of your own wallet.'
const MISTYPED = 'A letter of this address is mistyped. Copy it from your wallet.'

/** Bitcoin's main network: base58 (BIP 13, BIP 16), bech32 (BIP 173) and bech32m (BIP 350). */
function isBitcoinAddress(address: string): boolean {
  return /^bc1/i.test(address) ? isSegwitAddress(address) : isBase58Address(address)
}

function isBase58Address(address: string): boolean {
  const bytes = decoded(() => base58check.decode(address))
  return bytes !== null && bytes.length === HASH_BYTES + 1 && BASE58_VERSIONS.includes(bytes[0]!)
}

function isSegwitAddress(address: string): boolean {
  return isProgram(address, bech32, version => version === 0) || isProgram(address, bech32m, version => version >= 1)
}

function isProgram(address: string, code: typeof bech32, fits: (version: number) => boolean): boolean {
  const words = decoded(() => code.decode(address as `${string}1${string}`))
  const [version, ...rest] = words?.words ?? []
  if (words?.prefix !== 'bc' || version === undefined || version > MAX_WITNESS_VERSION || !fits(version)) return false
  const program = decoded(() => code.fromWords(rest))
  if (!program) return false
  const { length } = program
  if (version === 0) return PROGRAM_BYTES.version0.includes(length)
  if (version === 1) return length === PROGRAM_BYTES.version1
  return length >= PROGRAM_BYTES.min && length <= PROGRAM_BYTES.max
}

/** EIP-55: the case of the letters is a checksum. An address in letters of one case has none. */
function hasEthereumChecksum(address: string): boolean {
  const hex = address.slice(2)
  if (hex === hex.toLowerCase() || hex === hex.toUpperCase()) return true
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex.toLowerCase())))
  return [...hex].every((letter, at) => {
    const isUpper = Number.parseInt(hash[at]!, 16) >= 8
    return letter === (isUpper ? letter.toUpperCase() : letter.toLowerCase())
  })
}

/** What a decoder answers; null when it refuses the text. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch (error) {
    // The decoders throw plain errors about the text. Anything else is a fault of ours.
    if (error instanceof Error) return null
    throw error
  }
}
