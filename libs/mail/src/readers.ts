/** Whose address is confirmed. The service says it, and the mailer asks for each mail. */
export abstract class Readers {
  /**
   * Whether this is the address of an account and was confirmed before the mail was queued, or is one of ours. What is confirmed by the act that
   * a mail is about, such as a new password, counts for later mails: until then a stranger may have written what the account has.
   */
  abstract isConfirmed(address: string, queuedAt: Date): Promise<boolean>
}

/** For a service that knows no addresses: each reader is a stranger. */
export class Strangers extends Readers {
  async isConfirmed(): Promise<boolean> {
    return false
  }
}
