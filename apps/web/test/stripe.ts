import type { Stripe } from '@stripe/stripe-js'

type Change = (change: { complete: boolean; error?: { message: string } }) => void

/**
 * Stands in for Stripe's script, which a page loads from Stripe: its fields hold no input, so a test says what changed in them, and it decides
 * the answer to a confirmation.
 */
export class FakeStripe {
  readonly confirmCardPayment = jest.fn<() => Promise<object>>()
  readonly #fields = new Map<string, Change>()

  /** From now on the page finds this script loaded, with fields of its own. */
  install(): void {
    this.#fields.clear()
    // The version that the page's own part of Stripe asks for.
    Object.assign(window, { Stripe: Object.assign(() => this.#stripe, { version: 'endive' }) })
  }

  /** Whether the page listens to each of these fields. */
  has(...names: readonly string[]): boolean {
    return names.every(name => this.#fields.has(name))
  }

  /** The buyer has completed these fields, such as `cardNumber`. */
  complete(...names: readonly string[]): void {
    for (const name of names) this.#fields.get(name)?.({ complete: true })
  }

  get #stripe(): Stripe {
    const created = new Map<string, object>()
    const elements = {
      create: (name: string) => {
        const element = {
          on: (event: string, call: Change) => {
            if (event === 'change') this.#fields.set(name, call)
            return element
          },
          off: () => element,
          mount: () => undefined,
          update: () => undefined,
          destroy: () => undefined,
        }
        created.set(name, element)
        return element
      },
      getElement: (name: string | { __elementType: string }) =>
        created.get(typeof name === 'string' ? name : name.__elementType) ?? null,
      update: () => undefined,
      on: () => undefined,
      off: () => undefined,
    }
    const { confirmCardPayment } = this
    return {
      elements: () => elements,
      createToken: () => undefined,
      createPaymentMethod: () => undefined,
      confirmCardPayment,
    } as unknown as Stripe
  }
}
