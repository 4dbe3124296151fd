import nodemailer from 'nodemailer'
import type { SMTPError } from 'nodemailer/lib/smtp-connection/index.js'
import type { MailConfig } from './mail-config.js'
import type { Mail } from './mail-content.js'

/** An attempt ends after this, whatever the server does. It is shorter than the time for which an attempt keeps its mail (`Mailer`). */
export const SEND_WITHIN_MS = 30_000
const CONNECT_WITHIN_MS = 10_000
/**
 * Answers to `RCPT TO` that say that the mailbox does not exist (RFC 5321, 4.2.3; RFC 3463, 3.2; RFC 7505). 5.1.7 to 5.1.9 are about the
 * sender, and 5.1.0 may be. Where an answer has an enhanced code, only that counts.
 */
const NO_SUCH_MAILBOX = /^(?:5\d\d[ -]5\.1\.(?:[1-6]|10)\b|55[013](?!\d|[ -]\d\.\d+\.\d))/
const ADDRESS = /[^\s<>"@]+@[^\s<>"@]+/g

/** The mail server has refused a mail for good: there is no such mailbox. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Sends mails over SMTP (RFC 5321). */
export class Smtp {
  readonly #transport: ReturnType<typeof nodemailer.createTransport>
  readonly #domain: string

  constructor(
    { NODE_ENV, SMTP_URL, MAIL_FROM }: MailConfig,
    private readonly sendWithinMs = SEND_WITHIN_MS,
  ) {
    const limits = {
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      // A mail whose connection has ended is tried again by the outbox, which counts its attempts.
      maxRequeues: 0,
    }
    // In production nothing is sent in plain text: a server that offers no TLS is not used.
    this.#transport = nodemailer.createTransport(
      { url: SMTP_URL, pool: true, maxConnections: 2, requireTLS: NODE_ENV === 'production', ...limits },
      { from: MAIL_FROM },
    )
    this.#domain = MAIL_FROM.slice(MAIL_FROM.lastIndexOf('@') + 1, -1)
  }

  /**
   * Sends a mail. SMTP cannot promise that a mail arrives once: when the server's answer is lost, the mail is sent again. The
   * Message-ID is that of the row, so a mailbox can recognize the second one.
   *
   * @throws MailRefused when another attempt would be refused, too; another error when it may succeed later
   */
  async send(id: string, recipient: string, mail: Mail): Promise<void> {
    const { subject, text, html, unsubscribeUrl } = mail
    const list = unsubscribeUrl
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}
    try {
      await this.#transport.sendMail({
        // The recipient is an address and never a list of addresses.
        to: { name: '', address: recipient },
        messageId: `<${id}@${this.#domain}>`,
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', ...list },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(this.sendWithinMs),
      })
    } catch (error) {
      throw failureOf(error)
    }
  }

  close(): void {
    this.#transport.close()
  }
}

/**
 * The error without addresses, because errors are logged and kept. Servers repeat the recipient's address in their answers. Every other
 * refusal may be about our account, such as a sender that is not verified: then it ends when an operator has corrected that.
 */
function failureOf(error: unknown): Error {
  const { message, command, response } = error as Partial<SMTPError>
  const words = `${message}`.replaceAll(ADDRESS, '<address>')
  const isFinal = command === 'RCPT TO' && NO_SUCH_MAILBOX.test(response ?? '')
  return isFinal ? new MailRefused(words) : new Error(words)
}
