import { urlVariableOf } from '@holdfast/contracts/topology'
import { parseConfig } from '@holdfast/service-kit/lifecycle/config'
import { refusedVariables } from '@holdfast/testing/refused-variables'
import { gatewayRefusals, gatewayShape, UPSTREAMS } from './config.js'

const key = Buffer.alloc(32, 7).toString('base64url')
const production = {
  NODE_ENV: 'production',
  PORT: '3000',
  OPS_PORT: '3001',
  PUBLIC_URL: 'https://holdfast.example',
  ACTOR_KEYS: JSON.stringify({ 'gateway>escrow-svc': key }),
  DATABASE_URL: 'postgres://gateway@db.example/holdfast',
  TRUSTED_PROXIES: '10.0.0.0/8',
  ...Object.fromEntries(UPSTREAMS.map(name => [urlVariableOf(name), `http://${name}:4000`])),
}

const refused = (changes: Record<string, string>) =>
  refusedVariables(() => parseConfig(gatewayShape, { ...production, ...changes }, gatewayRefusals))

describe('the configuration of the gateway in production', () => {
  it('is accepted when it is complete', () => {
    expect(refused({})).toEqual([])
  })

  it.each([
    ['TRUSTED_PROXIES', ''],
    ['TRUSTED_PROXIES', ' , '],
    ['ACTOR_KEYS', '{}'],
    ['PUBLIC_URL', 'http://holdfast.example'],
    ['STRIPE_PUBLIC_URL', 'http://localhost:3900'],
  ])('is refused with %s = %j, and accepted in development', (variable, value) => {
    expect(refused({ [variable]: value })).toEqual([variable])
    expect(refused({ [variable]: value, NODE_ENV: 'development' })).toEqual([])
  })
})
