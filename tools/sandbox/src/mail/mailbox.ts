import { setTimeout as sleep } from 'node:timers/promises'
import { MailServer } from './mail-server.js'
import type { MailRecord } from './records.js'

const MAX_MAILS = 100
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 20

/** The part of a service's mailer that sends what is due. */
interface DueMails {
  upcoming(withinMs: number, limit: number): Promise<readonly { readonly id: string }[]>
  fire(id: string): Promise<unknown>
}

/** A mail server for tests, which keeps in memory what it gets. */
export class Mailbox {
  readonly mails: MailRecord[] = []
  readonly #server = new MailServer(async mail => void this.mails.push(mail))
  #port = 0

  static async open(): Promise<Mailbox> {
    const mailbox = new Mailbox()
    mailbox.#port = await mailbox.#server.listen('127.0.0.1', 0)
    return mailbox
  }

  /** The variables of a service that sends its mails here. */
  get environment(): { SMTP_URL: string; MAIL_FROM: string } {
    return { SMTP_URL: `smtp://127.0.0.1:${this.#port}`, MAIL_FROM: 'Holdfast <hello@holdfast.example>' }
  }

  /** The mails to an address, once there are so many. Mails that wait are sent at once. @throws Error when they do not come */
  async to(address: string, mailer: DueMails, count = 1): Promise<readonly MailRecord[]> {
    const found = () => this.mails.filter(({ recipients }) => recipients.includes(address))
    const until = performance.now() + PATIENCE_MS
    while (performance.now() < until) {
      await this.sendDue(mailer)
      if (found().length >= count) return found()
      await sleep(LOOK_EVERY_MS)
    }
    throw new Error(`${found().length} of ${count} mails have come to ${address}`)
  }

  /** Lets a service send the mails that are due. */
  async sendDue(mailer: DueMails): Promise<void> {
    const due = await mailer.upcoming(0, MAX_MAILS)
    await Promise.all(due.map(({ id }) => mailer.fire(id)))
  }

  close(): Promise<void> {
    return this.#server.close()
  }
}
