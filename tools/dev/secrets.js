import { createECDH, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { TOPOLOGY } from './topology.js'

const key = () => randomBytes(32).toString('base64url')
/** A private key of P-256. */
const signingKey = () => {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  // Leading zeros are left out of what it answers.
  return Buffer.from(ecdh.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
}
const word = prefix => `${prefix}${randomBytes(18).toString('hex')}`

/**
 * The secrets of one data folder: made at the first start, read at later ones, completed when a newer release needs one
 * more. The file `secrets.json` holds them; only its owner can read it.
 */
export function loadSecrets(dataDir, { roles, actorPairs } = TOPOLOGY) {
  const file = path.join(dataDir, 'secrets.json')
  const kept = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
  const secrets = {
    postgresPassword: kept.postgresPassword ?? key(),
    redisPassword: kept.redisPassword ?? key(),
    rolePasswords: named(roles, key, kept.rolePasswords),
    actorKeys: named(actorPairs, key, kept.actorKeys),
    encryptionKeys: named(roles, key, kept.encryptionKeys),
    stripeSecretKey: kept.stripeSecretKey ?? word('sk_test_'),
    stripePublishableKey: kept.stripePublishableKey ?? word('pk_test_'),
    stripeWebhookSecret: kept.stripeWebhookSecret ?? word('whsec_'),
    carrierApiKey: kept.carrierApiKey ?? word('carrier_test_'),
    carrierWebhookSecret: kept.carrierWebhookSecret ?? key(),
    coinifyApiKey: kept.coinifyApiKey ?? word('sandbox_'),
    coinifyWebhookSecret: kept.coinifyWebhookSecret ?? key(),
    twilioAccountSid: kept.twilioAccountSid ?? `AC${randomBytes(16).toString('hex')}`,
    twilioAuthToken: kept.twilioAuthToken ?? key(),
    storageSecretKey: kept.storageSecretKey ?? key(),
    vapidPrivateKey: kept.vapidPrivateKey ?? signingKey(),
  }
  if (JSON.stringify(secrets) !== JSON.stringify(kept)) writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

function named(names, make, kept = {}) {
  return Object.fromEntries(names.map(name => [name, kept[name] ?? make()]))
}

// Written to another file and renamed, so that a crash leaves the old file or the new one, both complete. Without these
// secrets no service could log in to the database.
function writePrivately(file, text) {
  const draft = `${file}.${process.pid}`
  const handle = fs.openSync(draft, 'w', 0o600)
  fs.writeSync(handle, text)
  fs.fsyncSync(handle)
  fs.closeSync(handle)
  fs.renameSync(draft, file)
}
