import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { PushBrowserRecord } from './records.js'

/** Push services refuse larger bodies (RFC 8030, section 7.2). */
export const MAX_PUSH_BYTES = 4_096
/** A signature holds for a day at most (RFC 8292, section 2). */
const MAX_SIGNED_SECONDS = 24 * 3_600
const SALT_BYTES = 16
const HEADER_BYTES = SALT_BYTES + 4 + 1
const POINT_BYTES = 65
const TAG_BYTES = 16
/** Ends the last record of an encrypted content, before its padding (RFC 8188). */
const LAST_RECORD = 2

/** The push service refuses a request. */
export class PushRefusal extends Error {
  constructor(
    readonly status: number,
    words: string,
  ) {
    super(words)
  }
}

/**
 * Checks that a request is signed with the key for which the browser has subscribed (VAPID, RFC 8292).
 *
 * @param origin of this push service, for which it must be signed
 * @throws PushRefusal
 */
export function checkSignature(
  { authorization }: Pick<IncomingHttpHeaders, 'authorization'>,
  { serverKey }: Pick<PushBrowserRecord, 'serverKey'>,
  origin: string,
  nowMs: number,
): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/i.exec(authorization ?? '') ?? []
  if (token === '') throw new PushRefusal(401, 'The request is not signed.')
  if (!Buffer.from(key, 'base64url').equals(Buffer.from(serverKey, 'base64url')))
    throw new PushRefusal(403, 'The browser has subscribed with another key.')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!isSigned) throw new PushRefusal(403, 'The signature is wrong.')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const secondsLeft = Number(exp) - nowMs / 1_000
  if (aud !== origin) throw new PushRefusal(403, 'It is signed for another push service.')
  if (!(secondsLeft > 0 && secondsLeft <= MAX_SIGNED_SECONDS))
    throw new PushRefusal(403, 'The signature does not hold now.')
  if (!/^(mailto:|https:)/.test(String(sub)))
    throw new PushRefusal(403, 'Nobody is named who can be told about faults.')
}

/**
 * Decrypts a message as the browser does (RFC 8291).
 *
 * @throws PushRefusal when it cannot be decrypted, which a real push service would not notice
 */
export function decrypt(body: Buffer, { privateKey, p256dh, auth }: PushBrowserRecord): string {
  const salt = body.subarray(0, SALT_BYTES)
  const senderKey = body.subarray(HEADER_BYTES, HEADER_BYTES + POINT_BYTES)
  const sealed = body.subarray(HEADER_BYTES + POINT_BYTES)
  if (body[HEADER_BYTES - 1] !== POINT_BYTES || sealed.byteLength <= TAG_BYTES)
    throw new PushRefusal(400, 'It has another form.')
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), senderKey])
  const secret = hkdf(ecdh.computeSecret(senderKey), Buffer.from(auth, 'base64url'), info, 32)
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  return padded.subarray(0, padded.lastIndexOf(LAST_RECORD)).toString()
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))

function publicKeyOf(point: string) {
  const bytes = Buffer.from(point, 'base64url')
  const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map(part => part.toString('base64url'))
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
}
