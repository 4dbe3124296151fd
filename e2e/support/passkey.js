import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { BASE_URL } from './environment.js'

/** Valid values, by field name, of a passkey that nobody has, and of a code. */
export const passkeyFields = () => ({
  ...{ id: 'AAAA', rawId: 'AAAA', clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  ...{ attestationObject: 'AAAA', code: '123456' },
})

const uint16 = value => Buffer.of(value >> 8, value & 0xff)
/** A short text in CBOR. */
const cborText = text => Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])

/** A new passkey as a browser makes it for these options (Web Authentication Level 3, sections 6.1 and 6.5). Its key is thrown away. */
export function madePasskey({ challenge, rp }) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const coseKey = Buffer.concat([
    ...[Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01), Buffer.of(0x21, 0x58, 0x20), Buffer.from(x, 'base64url')],
    ...[Buffer.of(0x22, 0x58, 0x20), Buffer.from(y, 'base64url')],
  ])
  // Present, verified, with a credential; a counter of zero; no model.
  const head = [createHash('sha256').update(rp.id).digest(), Buffer.of(0x45), Buffer.alloc(4), Buffer.alloc(16)]
  const authData = Buffer.concat([...head, uint16(id.length), id, coseKey])
  const attestationObject = Buffer.concat([
    ...[Buffer.of(0xa3), cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.of(0xa0)],
    ...[cborText('authData'), Buffer.of(0x59), uint16(authData.length), authData],
  ])
  const client = { type: 'webauthn.create', challenge, origin: new URL(BASE_URL).origin, crossOrigin: false }
  return {
    ...{ id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' },
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    },
  }
}

/** Gives a person a passkey, and their session the second factor. @returns the id by which it is removed */
export async function addPasskey(person) {
  const { options } = await person.expect(200, 'POST', '/api/auth/passkeys/start')
  const body = { name: 'A passkey', passkey: madePasskey(options) }
  await person.expect(201, 'POST', '/api/auth/passkeys', { body })
  const { passkeys } = await person.expect(200, 'GET', '/api/auth/second-factor')
  return passkeys[0].id
}
