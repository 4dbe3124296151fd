import { randomBytes } from 'node:crypto'
import { CannotOpen, DataKey } from './data-key.js'
import { encryptionRefusals, encryptionShape } from './encryption-config.js'
import { KeyRing, UnknownMasterKey } from './key-ring.js'

const masterKey = () => randomBytes(32).toString('base64url')
const OLD = `2026-01:${masterKey()}`
const NEW = `2026-07:${masterKey()}`
const ringOf = (...entries: string[]) => KeyRing.parse(entries.join(','))
const text = Buffer.from('The parcel is at the neighbour’s.')

describe('a data key', () => {
  test('opens what it sealed, and seals the same bytes differently each time', () => {
    const key = DataKey.random()
    const sealed = key.seal(text, 'deal:1')
    expect(key.open(sealed, 'deal:1')).toEqual(text)
    expect(key.seal(text, 'deal:1')).not.toEqual(sealed)
    expect(key.open(key.seal(Buffer.alloc(0), 'deal:1'), 'deal:1')).toEqual(Buffer.alloc(0))
    expect(sealed.includes(text)).toBe(false)
  })

  test('refuses bytes of which any one was changed, cut or added', () => {
    const key = DataKey.random()
    const sealed = key.seal(text, 'deal:1')
    for (let at = 0; at < sealed.byteLength; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => key.open(changed, 'deal:1')).toThrow(CannotOpen)
      expect(() => key.open(sealed.subarray(0, at), 'deal:1')).toThrow(CannotOpen)
    }
    expect(() => key.open(Buffer.concat([sealed, Buffer.of(0)]), 'deal:1')).toThrow(CannotOpen)
  })

  test('refuses what was sealed for another context or with another key', () => {
    const key = DataKey.random()
    const sealed = key.seal(text, 'deal:1')
    expect(() => key.open(sealed, 'deal:11')).toThrow(CannotOpen)
    expect(() => DataKey.random().open(sealed, 'deal:1')).toThrow(CannotOpen)
  })
})

test('a fingerprint is the same for the same text and key, and differs with either', () => {
  const [key, other] = [DataKey.random(), DataKey.random()]
  expect(key.fingerprint('yes')).toBe(DataKey.of(key.export()).fingerprint('yes'))
  expect(new Set([key.fingerprint('yes'), key.fingerprint('no'), other.fingerprint('yes')]).size).toBe(3)
})

describe('a key ring', () => {
  test('gives a stored data key back in its own context only', () => {
    const ring = ringOf(NEW)
    const { key, stored } = ring.newDataKey('deal:1')
    expect(ring.unwrap(stored, 'deal:1').open(key.seal(text, 'x'), 'x')).toEqual(text)
    expect(() => ring.unwrap(stored, 'deal:2')).toThrow(CannotOpen)
    expect(stored.wrapped.includes(key.export())).toBe(false)
  })

  test('reads old keys after a rotation, wraps with the new key, and rewraps', () => {
    const { key, stored } = ringOf(OLD).newDataKey('deal:1')
    const both = ringOf(NEW, OLD)
    expect(both.isCurrent(stored)).toBe(false)
    const again = both.rewrap(stored, 'deal:1')
    expect([again.keyId, both.isCurrent(again)]).toEqual(['2026-07', true])
    const onlyNew = ringOf(NEW)
    expect(onlyNew.unwrap(again, 'deal:1').export()).toEqual(key.export())
    expect(() => onlyNew.unwrap(stored, 'deal:1')).toThrow(new UnknownMasterKey('2026-01'))
  })

  test('refuses a stored key whose id was changed to that of another master key', () => {
    const { stored } = ringOf(OLD).newDataKey('deal:1')
    expect(() => ringOf(NEW, OLD).unwrap({ ...stored, keyId: '2026-07' }, 'deal:1')).toThrow(CannotOpen)
  })

  test.each([
    { fault: 'nothing', bad: '', message: 'id:key' },
    { fault: 'no key', bad: '2026-01', message: 'id:key' },
    { fault: 'a capital in the id', bad: `Key:${masterKey()}`, message: 'lower-case' },
    { fault: 'a short key', bad: 'a:c2hvcnQ', message: 'the key "a" must be 32 bytes' },
    { fault: 'an id twice', bad: `${OLD},${OLD}`, message: '"2026-01" is there twice' },
    { fault: 'a comma at the end', bad: `${OLD},`, message: 'id:key' },
  ])('is not read from a text with $fault', ({ bad, message }) => {
    expect(() => KeyRing.parse(bad)).toThrow(message)
  })
})

describe('the configuration', () => {
  test('says what is wrong without showing a key', () => {
    const secret = masterKey()
    const result = encryptionShape.ENCRYPTION_KEYS.safeParse(`a:${secret},a:${secret}`)
    expect(result.error?.issues).toMatchObject([{ message: 'the key id "a" is there twice' }])
    expect(JSON.stringify(result.error)).not.toContain(secret)
  })

  test('refuses the key of a developer’s machine in production, also behind another', () => {
    const ENCRYPTION_KEYS = ringOf(NEW, `home:${masterKey()}`)
    expect(encryptionRefusals({ NODE_ENV: 'production', ENCRYPTION_KEYS }).ENCRYPTION_KEYS).toContain('"home"')
    expect(encryptionRefusals({ NODE_ENV: 'development', ENCRYPTION_KEYS }).ENCRYPTION_KEYS).toBeUndefined()
    expect(encryptionRefusals({ NODE_ENV: 'production', ENCRYPTION_KEYS: ringOf(NEW) }).ENCRYPTION_KEYS).toBeUndefined()
  })
})
