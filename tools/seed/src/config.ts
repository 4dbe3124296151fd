/** The addresses of the product and its sandbox, and the file that describes the demo. */
export interface Config {
  /** The product's origin as this process reaches it. */
  readonly gatewayUrl: string
  /** The origin of the payment and carrier sandbox. */
  readonly sandboxUrl: string
  /** The file that lists the demo's accounts. It is written when the demo is complete. */
  readonly demoFile: string
  /** The login of identity-svc, with which an operator makes a user an admin. */
  readonly identityDatabaseUrl: string
}

/** @throws Error that names a variable which is missing or is not a URL */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  return {
    gatewayUrl: origin('GATEWAY_URL', env.GATEWAY_URL),
    sandboxUrl: origin('SANDBOX_URL', env.SANDBOX_URL),
    demoFile: required('DEMO_FILE', env.DEMO_FILE),
    identityDatabaseUrl: required('IDENTITY_DATABASE_URL', env.IDENTITY_DATABASE_URL),
  }
}

function required(name: string, value: string | undefined): string {
  if (!value) throw new Error(`${name} must be set: npm start fills in the demo by itself.`)
  return value
}

function origin(name: string, value: string | undefined): string {
  const text = required(name, value)
  if (!URL.canParse(text)) throw new Error(`${name} is "${text}" and must be a URL.`)
  return new URL(text).origin
}
