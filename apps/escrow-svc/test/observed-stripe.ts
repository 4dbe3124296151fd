import type Stripe from 'stripe'

/** What happens in place of a call: `send` makes it. */
type Instead = (send: () => unknown) => unknown

/** Stripe's client, which remembers the calls that it was asked for and the answers that came. */
export class ObservedStripe {
  /** Stripe's client for the code under test. */
  readonly client: Stripe
  /** The SDK's methods that were called, such as `refunds.create`. */
  readonly called = new Set<string>()
  /** The versions of the API that the requests named, oldest first. */
  readonly versions: string[] = []
  /** The requests and the statuses of their answers, oldest first. */
  readonly answers: { readonly request: string; readonly status: number }[] = []
  private readonly changes = new Map<string, Instead>()

  constructor(stripe: Stripe) {
    stripe.on('request', ({ api_version: version }: { api_version: string }) => this.versions.push(version))
    stripe.on('response', ({ method, path, status }: { method: string; path: string; status: number }) =>
      this.answers.push({ request: `${method} ${path}`, status }),
    )
    this.client = new Proxy(stripe, {
      get: (target, resource) => {
        const value: unknown = Reflect.get(target, resource)
        return typeof value === 'object' && value !== null ? this.observed(String(resource), value) : value
      },
    })
  }

  /** Has the next call of a method answered in another way. */
  next(method: string, instead: Instead): void {
    this.changes.set(method, instead)
  }

  private observed(resource: string, methods: object): object {
    return new Proxy(methods, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => this.call(`${resource}.${String(name)}`, () => method.apply(target, args))
      },
    })
  }

  private call(name: string, send: () => unknown): unknown {
    this.called.add(name)
    const instead = this.changes.get(name)
    this.changes.delete(name)
    return instead ? instead(send) : send()
  }
}
