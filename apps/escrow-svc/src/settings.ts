/** What the rules of this service read from the configuration. */
export class Settings {
  constructor(
    readonly daySeconds: number,
    readonly payments: PaymentSettings,
    readonly carrier: CarrierSettings,
  ) {}
}

export interface PaymentSettings {
  /** The origin that speaks Stripe's API; null for Stripe itself. */
  readonly apiUrl: string | null
  /** The same as the browser reaches it. */
  readonly publicUrl: string
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecret: string
  /** True only where real money moves: an event of the other mode is never ours. */
  readonly livemode: boolean
}

export interface CarrierSettings {
  readonly apiUrl: string
  readonly apiKey: string
  readonly webhookSecret: string
}
