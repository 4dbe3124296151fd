import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import { type Configuration, Provider } from 'oidc-provider'

const TTL_SECONDS = 300
const CLIENT_ID = 'holdfast'
const CLIENT_SECRET = 'a secret of the test'
const APPLE_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const TEAM = { teamId: 'TEAM', keyId: 'KEY' }

/** What the provider says of a person. Each test names the claims that the provider which it plays really sends. */
export interface Claims {
  readonly email?: string
  /** Google and Apple. */
  readonly email_verified?: boolean
  /** Google: the domain of the organization. */
  readonly hd?: string
  /** Microsoft: the directory of the account. */
  readonly tid?: string
  /** Microsoft, in place of `email_verified`, when the application asks for it. */
  readonly xms_edov?: boolean
  readonly given_name?: string
  readonly family_name?: string
}

/** An OpenID provider on this machine, and a browser that signs in there. */
export class LocalProvider {
  readonly #people = new Map<string, Claims>()
  readonly #provider: Provider
  #signsIn = ''

  static async open(returnUrl: string): Promise<LocalProvider> {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return new LocalProvider(server, returnUrl)
  }

  private constructor(
    private readonly server: Server,
    returnUrl: string,
  ) {
    this.#provider = new Provider(this.issuer, this.#configuration(returnUrl))
    this.#acceptSignedSecrets()
    const handle = this.#provider.callback()
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // The sign-in form of the provider: the person whom `answerTo` was given signs in without filling it in.
      if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
      const login = { accountId: this.#signsIn }
      void this.#provider.interactionFinished(request, response, { login })
    })
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  /** The provider's entry of OIDC_PROVIDERS. */
  get settings() {
    return { issuer: this.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }
  }

  /** The provider's entry when it plays Apple: the client signs its secret itself. */
  get appleSettings() {
    const privateKey = APPLE_KEY.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { issuer: this.issuer, clientId: CLIENT_ID, ...TEAM, privateKey }
  }

  /** Opens or changes an account. */
  know(subject: string, claims: Claims): void {
    this.#people.set(subject, claims)
  }

  /**
   * A browser signs in at this address of the provider. @returns the query with which the provider leads back, or the form, as a query,
   * which it makes the browser post
   */
  async answerTo(address: string, subject: string): Promise<string> {
    this.#signsIn = subject
    const cookies = new Map<string, string>()
    for (let url = address; url.startsWith(this.issuer); ) {
      const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
      for (const line of response.headers.getSetCookie()) {
        const [name, value] = line.split(';', 1)[0]!.split('=') as [string, string]
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      const location = response.headers.get('location')
      if (location === null) return formIn(response)
      url = new URL(location, this.issuer).href
      if (!url.startsWith(this.issuer)) return new URL(url).search
    }
    throw new Error('the address is none of the provider')
  }

  /** Runs something while the provider's address accepts no connection. */
  async whileAway<T>(use: () => Promise<T>): Promise<T> {
    const { port } = this.server.address() as AddressInfo
    await this.close()
    try {
      return await use()
    } finally {
      await new Promise<void>(resolve => this.server.listen(port, '127.0.0.1', resolve))
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(resolve => this.server.close(resolve))
  }

  /** As Apple does: a secret that the key of the developer account has signed, for a short time, for this client. */
  #acceptSignedSecrets(): void {
    const { Client } = this.#provider as unknown as { Client: { prototype: ComparesSecrets } }
    const compare = Client.prototype.compareClientSecret
    Client.prototype.compareClientSecret = async function (secret) {
      if (!secret.includes('.')) return compare.call(this, secret)
      const expected = {
        issuer: TEAM.teamId,
        subject: CLIENT_ID,
        audience: 'https://appleid.apple.com',
        requiredClaims: ['exp'],
      }
      const { protectedHeader } = await jwtVerify(secret, APPLE_KEY.publicKey, { ...expected, algorithms: ['ES256'] })
      return protectedHeader.kid === TEAM.keyId
    }
  }

  #configuration(returnUrl: string): Configuration {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    return {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [returnUrl],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] as never },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      scopes: ['openid', 'email', 'profile', 'name'],
      claims: {
        // What stands under `openid` is in the ID token. The rest comes by a call.
        openid: ['sub', 'hd', 'tid', 'xms_edov'],
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name'],
      },
      ttl: {
        AccessToken: TTL_SECONDS,
        Grant: TTL_SECONDS,
        IdToken: TTL_SECONDS,
        Interaction: TTL_SECONDS,
        Session: TTL_SECONDS,
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => {
        const claims = this.#people.get(sub)
        return claims && { accountId: sub, claims: () => ({ sub, ...claims }) }
      },
      // The provider does not ask the person whether it may give their data to Holdfast.
      loadExistingGrant: async ({ oidc }) => {
        const grant = new this.#provider.Grant({
          clientId: oidc.client!.clientId,
          accountId: oidc.session!.accountId!,
        })
        grant.addOIDCScope('openid email profile name')
        await grant.save()
        return grant
      },
    }
  }
}

interface ComparesSecrets {
  compareClientSecret(secret: string): boolean | Promise<boolean>
}

/** The fields of the form in a page that posts itself. */
async function formIn(response: Response): Promise<string> {
  const html = await response.text()
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
  if (fields.length === 0) throw new Error(`the provider answered ${response.status}: ${html}`)
  return `?${new URLSearchParams(Object.fromEntries(fields.map(([, name, value]) => [name, value])))}`
}
