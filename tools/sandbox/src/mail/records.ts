/** A mail that the sandbox has received. */
export interface MailRecord {
  readonly id: string
  readonly receivedAt: number
  /** The addresses of the envelope: who gets it, whatever its head says. */
  readonly recipients: readonly string[]
  readonly from: string
  readonly subject: string
  /** By lower-case name, as one text each. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Null for a mail without an HTML part. */
  readonly html: string | null
}
