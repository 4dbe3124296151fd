import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { MadePasskey, UsedPasskey } from '@holdfast/contracts/second-factor'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40
const AAGUID = Buffer.alloc(16)

/** What an answer of the authenticator deviates from what is right in. */
export interface Deviation {
  readonly origin?: string
  readonly counter?: number
  readonly verifiesUser?: boolean
  readonly userHandle?: string
  readonly id?: string
}

interface Options {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
}

/** A passkey in software, with an ES256 key (Web Authentication Level 3, sections 6.1 and 6.5). */
export class SoftAuthenticator {
  readonly #privateKey: KeyObject
  readonly #publicKey: { readonly x: Buffer; readonly y: Buffer }
  readonly id: string = randomBytes(16).toString('base64url')
  #counter = 0
  #userHandle = ''
  #domain = ''

  constructor(private readonly origin = 'http://localhost:3000') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    this.#privateKey = privateKey
    this.#publicKey = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  /** Makes the passkey. */
  make(options: unknown, deviation: Deviation = {}): MadePasskey {
    const { challenge, rp, user } = options as Options
    this.#domain = rp!.id
    this.#userHandle = user!.id
    const credentialId = Buffer.from(this.id, 'base64url')
    const credential = Buffer.concat([AAGUID, uint16(credentialId.length), credentialId, this.#coseKey()])
    const authData = Buffer.concat([this.#head(HAS_CREDENTIAL, deviation), credential])
    const attestation = Buffer.concat([
      Buffer.of(0xa3),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.of(0xa0)],
      ...[text('authData'), Buffer.of(0x59), uint16(authData.length), authData],
    ])
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key' },
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, deviation),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** Signs a challenge. */
  use(options: unknown, deviation: Deviation = {}): UsedPasskey {
    const clientDataJSON = this.#clientData('webauthn.get', (options as Options).challenge, deviation)
    const authData = this.#head(0, { ...deviation, counter: deviation.counter ?? ++this.#counter })
    const clientHash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authData, clientHash]), this.#privateKey)
    const id = deviation.id ?? this.id
    return {
      ...{ id, rawId: id, type: 'public-key' },
      response: {
        clientDataJSON,
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: deviation.userHandle ?? this.#userHandle,
      },
    }
  }

  #clientData(type: string, challenge: string, { origin = this.origin }: Deviation): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url')
  }

  #head(flags: number, { counter = 0, verifiesUser = true }: Deviation): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const all = flags | USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0)
    return Buffer.concat([createHash('sha256').update(this.#domain).digest(), Buffer.of(all), count])
  }

  /** The public key in CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
  #coseKey(): Buffer {
    const { x, y } = this.#publicKey
    const bytes32 = Buffer.of(0x58, 0x20)
    const head = Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01)
    return Buffer.concat([head, Buffer.of(0x21), bytes32, x, Buffer.of(0x22), bytes32, y])
  }
}

const uint16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff)
/** A short text in CBOR. */
const text = (value: string): Buffer => Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)])
