import { SERVICES } from '@holdfast/contracts/topology'
import { z } from 'zod'
import { baseShape, ConfigError, databaseShape, dayShape, parseConfig } from './config.js'

const shape = { ...baseShape, ...databaseShape, ...dayShape, API_KEY: z.string().min(20) }
const good = {
  PORT: '4002',
  OPS_PORT: '4102',
  DATABASE_URL: 'postgres://escrow_svc:hunter2@127.0.0.1:5432/holdfast',
  API_KEY: 'k'.repeat(20),
}

const refusalOf = (env: NodeJS.ProcessEnv): ConfigError => {
  try {
    parseConfig(shape, env)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('the configuration was accepted')
}

describe('parseConfig', () => {
  test('reads what is given and fills in the defaults', () => {
    const config = parseConfig(shape, good)
    expect(config).toMatchObject({ PORT: 4002, NODE_ENV: 'development', DAY_SECONDS: 86_400 })
    expect(config.ACTOR_KEYS.size).toBe(0)
  })

  test('cannot be changed afterwards', () => {
    expect(() => Object.assign(parseConfig(shape, good), { PORT: 1 })).toThrow(TypeError)
  })

  test('treats an empty variable as unset', () => {
    expect(parseConfig(shape, { ...good, LOG_LEVEL: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' }).LOG_LEVEL).toBe('info')
    expect(refusalOf({ ...good, PORT: '' }).variables).toEqual({ PORT: 'is missing' })
  })

  test('takes a share of the traces from 0 to 1, and all of them when none is named', () => {
    expect(parseConfig(shape, good).OTEL_TRACES_SAMPLER_ARG).toBe(1)
    expect(parseConfig(shape, { ...good, OTEL_TRACES_SAMPLER_ARG: '0.05' }).OTEL_TRACES_SAMPLER_ARG).toBe(0.05)
    for (const OTEL_TRACES_SAMPLER_ARG of ['1.5', '-1', 'all'])
      expect(Object.keys(refusalOf({ ...good, OTEL_TRACES_SAMPLER_ARG }).variables)).toEqual([
        'OTEL_TRACES_SAMPLER_ARG',
      ])
  })

  test('takes the replicas of each service, one of each when they are not named, and no list that leaves one out', () => {
    const replicas = Object.fromEntries(SERVICES.map(name => [name, 7]))
    expect(parseConfig(shape, { ...good, REPLICAS: JSON.stringify(replicas) }).REPLICAS).toEqual(replicas)
    expect(parseConfig(shape, good).REPLICAS).toMatchObject({ gateway: 1, 'messaging-svc': 1 })
    for (const REPLICAS of ['7', 'seven', '{"gateway":7}', JSON.stringify({ ...replicas, gateway: 0 })])
      expect(refusalOf({ ...good, REPLICAS }).variables.REPLICAS).toMatch(/^must be JSON .* for each of identity-svc/)
  })

  test('takes a direct address of the database only together with the sessions of the pooler', () => {
    const direct = { ...good, DATABASE_DIRECT_URL: good.DATABASE_URL }
    expect(parseConfig(shape, { ...direct, POOLER_CONNECTIONS: '20' }).POOLER_CONNECTIONS).toBe(20)
    expect(refusalOf(direct).variables).toEqual({ POOLER_CONNECTIONS: 'is missing' })
    expect(refusalOf({ ...good, POOLER_CONNECTIONS: '20' }).variables).toEqual({ DATABASE_DIRECT_URL: 'is missing' })
    for (const POOLER_CONNECTIONS of ['0', 'many', '1.5'])
      expect(Object.keys(refusalOf({ ...direct, POOLER_CONNECTIONS }).variables)).toEqual(['POOLER_CONNECTIONS'])
  })

  test('names all wrong variables at once', () => {
    const { variables, message } = refusalOf({ PORT: 'eighty', OPS_PORT: '70000', LOG_LEVEL: 'loud' })
    expect(Object.keys(variables).sort()).toEqual(['API_KEY', 'DATABASE_URL', 'LOG_LEVEL', 'OPS_PORT', 'PORT'])
    expect(message).toContain('PORT: Must be a port number')
  })

  test('never shows a value', () => {
    const secrets = {
      DATABASE_URL: 'mysql://root:hunter2@db',
      API_KEY: 'sk_live_short',
      ACTOR_KEYS: '{"gateway":"s3cr3t',
    }
    const { message } = refusalOf({ ...good, ...secrets })
    for (const secret of ['hunter2', 'sk_live', 's3cr3t']) expect(message).not.toContain(secret)
  })

  test('refuses actor keys that are too short or for an unknown service', () => {
    const key = Buffer.alloc(32).toString('base64url')
    expect(refusalOf({ ...good, ACTOR_KEYS: '{"gateway>escrow-svc":"c2hvcnQ"}' }).message).toContain('32 bytes')
    expect(refusalOf({ ...good, ACTOR_KEYS: `{"gateway>nobody":"${key}"}` }).message).toContain('not a pair')
    expect(refusalOf({ ...good, ACTOR_KEYS: '[]' }).message).toContain('JSON object')
    expect(parseConfig(shape, { ...good, ACTOR_KEYS: `{"gateway>escrow-svc":"${key}"}` }).ACTOR_KEYS.size).toBe(1)
  })

  test('refuses an unknown transport with a readable message', () => {
    for (const asked of ['rabbitmq', 'Embedded', 'none']) {
      expect(refusalOf({ ...good, EVENTS_TRANSPORT: asked }).variables).toEqual({
        EVENTS_TRANSPORT: 'must be embedded or kafka',
      })
    }
  })

  describe('of Kafka', () => {
    const kafka = { ...good, EVENTS_TRANSPORT: 'kafka', KAFKA_BROKERS: 'one:9092, two:9092' }

    test('reads the brokers and fills in the defaults', () => {
      expect(parseConfig(shape, kafka)).toMatchObject({
        KAFKA_BROKERS: ['one:9092', 'two:9092'],
        KAFKA_REPLICATION: 1,
        KAFKA_TLS: false,
        KAFKA_SASL_MECHANISM: 'scram-sha-512',
      })
      expect(parseConfig(shape, { ...kafka, KAFKA_TLS: 'true' }).KAFKA_TLS).toBe(true)
    })

    test('needs brokers only with Kafka, each with its port', () => {
      expect(parseConfig(shape, good).KAFKA_BROKERS).toEqual([])
      expect(refusalOf({ ...kafka, KAFKA_BROKERS: '' }).variables).toEqual({ KAFKA_BROKERS: 'is missing' })
      expect(refusalOf({ ...kafka, KAFKA_BROKERS: 'one' }).message).toContain('host:port')
    })

    test('needs a name with a password, and a password with a name', () => {
      expect(refusalOf({ ...kafka, KAFKA_SASL_USERNAME: 'escrow' }).variables).toHaveProperty('KAFKA_SASL_PASSWORD')
      expect(refusalOf({ ...kafka, KAFKA_SASL_PASSWORD: 'secret' }).variables).toHaveProperty('KAFKA_SASL_USERNAME')
    })

    test('sends a password as it is only over TLS', () => {
      const plain = {
        ...kafka,
        KAFKA_SASL_MECHANISM: 'plain',
        KAFKA_SASL_USERNAME: 'escrow',
        KAFKA_SASL_PASSWORD: 'secret',
      }
      expect(parseConfig(shape, { ...plain, KAFKA_TLS: 'true' }).KAFKA_SASL_MECHANISM).toBe('plain')
      expect(refusalOf(plain).variables).toEqual({
        KAFKA_SASL_MECHANISM: 'must not be plain without KAFKA_TLS: the password would be readable on the way',
      })
    })

    test('refuses a single copy of each event only in production', () => {
      const key = Buffer.alloc(32).toString('base64url')
      const production = { ...kafka, NODE_ENV: 'production', ACTOR_KEYS: `{"gateway>escrow-svc":"${key}"}` }
      expect(refusalOf(production).variables).toHaveProperty('KAFKA_REPLICATION')
      expect(parseConfig(shape, { ...production, KAFKA_REPLICATION: '3' }).KAFKA_REPLICATION).toBe(3)
    })
  })

  test('refuses empty keys only in production', () => {
    expect(parseConfig(shape, good).ACTOR_KEYS.size).toBe(0)
    expect(refusalOf({ ...good, NODE_ENV: 'production' }).variables).toEqual({
      ACTOR_KEYS: 'must not be empty in production: no service could call another',
    })
  })

  test('refuses a shortened day only in production', () => {
    expect(parseConfig(shape, { ...good, DAY_SECONDS: '10' }).DAY_SECONDS).toBe(10)
    expect(refusalOf({ ...good, DAY_SECONDS: '10', NODE_ENV: 'production' }).variables).toHaveProperty('DAY_SECONDS')
  })

  test('lets a service refuse well-formed values', () => {
    const refuse = () =>
      parseConfig(shape, good, config => ({ API_KEY: config.NODE_ENV && 'is a test key', PORT: undefined }))
    expect(refuse).toThrow('API_KEY: is a test key')
  })
})
