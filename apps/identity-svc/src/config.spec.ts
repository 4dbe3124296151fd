import { parseConfig } from '@holdfast/service-kit/lifecycle/config'
import { refusedVariables } from '@holdfast/testing/refused-variables'
import { identityRefusals, identityShape } from './config.js'

const key = Buffer.alloc(32, 7).toString('base64url')
const production = {
  NODE_ENV: 'production',
  PORT: '3000',
  OPS_PORT: '3001',
  PUBLIC_URL: 'https://holdfast.example',
  ACTOR_KEYS: JSON.stringify({ 'gateway>identity-svc': key }),
  DATABASE_URL: 'postgres://identity@db.example/holdfast',
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Holdfast <hello@holdfast.example>',
  SUPPORT_EMAIL: 'support@holdfast.example',
  SALES_EMAIL: 'sales@holdfast.example',
  STORAGE_URL: 's3+https://s3.example/bucket',
  STORAGE_ACCESS_KEY: 'a',
  STORAGE_SECRET_KEY: 's',
  STORAGE_REGION: 'r',
  ENCRYPTION_KEYS: `2026:${key}`,
  VAPID_PRIVATE_KEY: key,
}
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: key, TWILIO_FROM: '+15550100100' }
const GOOGLE = { id: 'google', issuer: 'http://provider.example', clientId: 'c', clientSecret: 's' }

const refused = (changes: Record<string, string>) =>
  refusedVariables(() => parseConfig(identityShape, { ...production, ...changes }, identityRefusals))

describe('the configuration of identity-svc in production', () => {
  it('is accepted when it is complete, with and without texts', () => {
    expect(refused({})).toEqual([])
    expect(refused({ ...TWILIO, SMS_PREFIXES: '+1' })).toEqual([])
  })

  it.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'http://holdfast.example' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://localhost' }],
    ['STORAGE_URL', { STORAGE_URL: 'file:///data' }],
    ['ENCRYPTION_KEYS', { ENCRYPTION_KEYS: `home:${key}` }],
    ['OIDC_PROVIDERS', { OIDC_PROVIDERS: JSON.stringify([GOOGLE]) }],
    ['PUSH_SERVICES', { PUSH_SERVICES: 'http://push.example' }],
    ['SMS_PREFIXES', TWILIO],
    ['TWILIO_API_URL', { TWILIO_API_URL: 'http://twilio.example' }],
    ['ADMIN_SECOND_FACTOR', { ADMIN_SECOND_FACTOR: 'optional' }],
  ])('is refused by %s with %j, and accepted in development', (variable, changes) => {
    expect(refused(changes)).toEqual([variable])
    expect(refused({ ...changes, NODE_ENV: 'development' })).toEqual([])
  })

  it.each([
    [['TWILIO_ACCOUNT_SID', 'TWILIO_FROM'], { TWILIO_AUTH_TOKEN: key }],
    [['TWILIO_FROM'], { ...TWILIO, TWILIO_FROM: '', SMS_PREFIXES: '+1' }],
    [['PASSKEY_DOMAIN'], { PASSKEY_DOMAIN: 'other.example' }],
  ])('is refused by %s with %j, in development, too', (variables, changes) => {
    expect(refused(changes)).toEqual(variables)
    expect(refused({ ...changes, NODE_ENV: 'development' })).toEqual(variables)
  })
})
