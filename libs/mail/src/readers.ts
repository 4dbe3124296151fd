/** Whose address is confirmed. The service says it, and the mailer asks for each mail. */
export abstract class Readers {
  /**
   * Whether this is an address of ours, or that of an account which was confirmed before the mail was queued. A new password that was set with a
   * mailed link confirms the address, too, but only for later mails: until then a stranger may have chosen the name of the account.
   */
  abstract isConfirmed(address: string, queuedAt: Date): Promise<boolean>
}

/** For a service that knows no addresses: each reader is a stranger. */
export class Strangers extends Readers {
  async isConfirmed(): Promise<boolean> {
    return false
  }
}
