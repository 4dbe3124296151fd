import nodemailer from 'nodemailer'
import type { SMTPError } from 'nodemailer/lib/smtp-connection/index.js'
import type { MailConfig } from './mail-config.js'
import { type MailContent, partsOf } from './mail-content.js'

/** An attempt ends after this, whatever the server does. It is shorter than the time for which an attempt keeps its mail (`Mailer`). */
export const SEND_WITHIN_MS = 30_000
const CONNECT_WITHIN_MS = 10_000
/** Answers from 500 on are final (RFC 5321, 4.2.1). */
const FIRST_FINAL_ANSWER = 500
/**
 * The commands whose answers are about the mail. An answer to another command, such as one about the login or the sender, is about us:
 * it refuses every mail until an operator has corrected the configuration.
 */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA']
const ADDRESS = /[^\s<>"@]+@[^\s<>"@]+/g

/** The mail server has refused a mail for good: there is no such mailbox, or it takes no mail of this kind. */
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
  async send(id: string, recipient: string, content: MailContent): Promise<void> {
    const { subject, unsubscribeUrl } = content
    const list = unsubscribeUrl
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}
    try {
      await this.#transport.sendMail({
        // The recipient is an address and never a list of addresses.
        to: { name: '', address: recipient },
        messageId: `<${id}@${this.#domain}>`,
        subject,
        ...partsOf(content),
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

/** The error without addresses, because errors are logged and kept. Servers repeat the recipient's address in their answers. */
function failureOf(error: unknown): Error {
  const { message, command, responseCode } = error as Partial<SMTPError>
  const words = `${message}`.replaceAll(ADDRESS, '<address>')
  const isFinal = (responseCode ?? 0) >= FIRST_FINAL_ANSWER && ABOUT_THE_MAIL.includes(command ?? '')
  return isFinal ? new MailRefused(words) : new Error(words)
}
