/** A text that the sandbox has received. */
export interface SmsRecord {
  readonly id: string
  readonly receivedAt: number
  readonly to: string
  readonly from: string
  readonly body: string
}
