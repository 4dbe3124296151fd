import { retentionShape } from '@holdfast/service-kit/lifecycle/retention'
import { z } from 'zod'

const LOCAL = /^(localhost|127\.|\[?::1)/

/** The environment variables of a service that sends mail. */
export const mailShape = {
  ...retentionShape('MAIL_KEPT_DAYS'),
  /** The mail server: `smtps://user:password@host:465`, or `smtp://host:587` which changes to TLS (STARTTLS). */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  /** The sender, as in `Holdfast <hello@example.com>`. */
  MAIL_FROM: z
    .string()
    .regex(/^[^<>@]+ <[^<>@\s]+@[^<>@\s]+>$/, 'must be a name and an address: Holdfast <hello@example.com>'),
}

/** The part of a configuration that code which sends mail reads. */
export interface MailConfig {
  readonly NODE_ENV: string
  readonly SMTP_URL: string
  readonly MAIL_FROM: string
}

/** What is wrong with well-formed variables: in production mails must not go to this machine, where nobody would read them. */
export const mailRefusals = ({ NODE_ENV, SMTP_URL }: MailConfig) => ({
  SMTP_URL:
    NODE_ENV === 'production' && LOCAL.test(new URL(SMTP_URL).hostname)
      ? 'must not be this machine in production: mails would reach nobody'
      : undefined,
})
