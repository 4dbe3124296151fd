import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { MailRecord } from './records.js'

const MAX_MAIL_BYTES = 1_000_000

/** Mailboxes that refuse: for good, and only now. */
const REFUSING = [
  { prefix: 'nobody-', responseCode: 550, words: 'There is no such mailbox here.' },
  { prefix: 'busy-', responseCode: 451, words: 'This mailbox is busy. Try again later.' },
]

/** Takes every mail that the product sends, and sends none on. */
export class MailServer {
  readonly #server: SMTPServer

  /** @param keep is called with each mail. The sender's mail is taken when it resolves */
  constructor(private readonly keep: (mail: MailRecord) => Promise<unknown>) {
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      size: MAX_MAIL_BYTES,
      logger: false,
      onRcptTo: ({ address }, _session, done) => {
        const refusal = REFUSING.find(({ prefix }) => address.startsWith(prefix))
        done(refusal && Object.assign(new Error(refusal.words), { responseCode: refusal.responseCode }))
      },
      onData: (stream, session, done) => void this.#keep(stream, session).then(() => done(), done),
    })
  }

  /** Resolves with the port. */
  async listen(host: string, port: number): Promise<number> {
    const listening = this.#server.listen(port, host)
    await new Promise<void>((resolve, reject) => {
      listening.once('listening', resolve)
      this.#server.once('error', reject)
    })
    return (listening.address() as AddressInfo).port
  }

  close(): Promise<void> {
    return new Promise(resolve => this.#server.close(resolve))
  }

  async #keep(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const mail = await simpleParser(stream as Readable, { skipImageLinks: true, skipTextToHtml: true })
    if (stream.sizeExceeded) throw Object.assign(new Error('The mail is too large.'), { responseCode: 552 })
    const headers = mail.headerLines.map(({ key, line }) => [
      key,
      line
        .slice(key.length + 1)
        .replace(/\s+/g, ' ')
        .trim(),
    ])
    await this.keep({
      id: randomUUID(),
      receivedAt: Date.now(),
      recipients: envelope.rcptTo.map(({ address }) => address),
      from: mail.from?.text ?? '',
      subject: mail.subject ?? '',
      headers: Object.fromEntries(headers),
      text: mail.text ?? '',
      html: mail.html || null,
    })
  }
}
