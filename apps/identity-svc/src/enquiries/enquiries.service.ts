import type { Enquiry, enquiryAdminRoutes, enquiryRoutes } from '@holdfast/contracts/enquiries'
import type { Parsed } from '@holdfast/contracts/route'
import type { EnquiryKind } from '@holdfast/kernel/enquiries'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { queueMail } from '@holdfast/mail/queue-mail'
import { recipientKey } from '@holdfast/mail/recipient-key'
import { addressKey } from '@holdfast/service-kit/auth/address-key'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { ENQUIRY_ANSWERED, ENQUIRY_ARRIVED, ENQUIRY_RECEIVED } from './enquiry-mails.js'

type Ticket = Parsed<typeof enquiryRoutes.openTicket>['body']
type Enterprise = Parsed<typeof enquiryRoutes.sendEnterpriseEnquiry>['body']
type Page = Parsed<typeof enquiryAdminRoutes.listEnquiries>['query']

const HOUR_SECONDS = 60 * 60
/** What people at one address of the network may send. Many can share one. */
export const ENQUIRIES_PER_ADDRESS: AttemptLimit = {
  attempts: 50,
  seconds: HOUR_SECONDS,
  refusal: 'You have written several times already. Please wait a while, or write to us by e-mail.',
}

/** Our mails to one address: anybody can type the address of another person. */
export const ENQUIRIES_PER_RECIPIENT: AttemptLimit = { ...ENQUIRIES_PER_ADDRESS, attempts: 5 }

/** Who writes, and from where. */
interface Sender {
  readonly userId: string | null
  readonly clientIp: string | null
}

type NewEnquiry = Pick<Enquiry, 'kind' | 'name' | 'email' | 'subject' | 'message' | 'facts'>

const COLUMNS = `id, number::int, kind, state, name, email, user_id AS "userId", subject, message, facts, created_at AS "createdAt",
  answer, answered_by AS "answeredBy", answered_at AS "answeredAt"`
const LIST = `
  SELECT ${COLUMNS} FROM enquiry
  WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR state = $4)
    AND ($5::text IS NULL OR number::text = $5 OR position(lower($5) IN lower(name || ' ' || email)) > 0)
  ORDER BY id DESC LIMIT $1`

interface Row extends Omit<Enquiry, 'createdAt' | 'answer'> {
  readonly createdAt: Date
  readonly answer: string | null
  readonly answeredBy: string | null
  readonly answeredAt: Date | null
}

/** Keeps what people write to us, and mails the answers. */
@Injectable()
export class EnquiriesService {
  readonly #perAddress: Attempts
  readonly #perRecipient: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.#perAddress = new Attempts(dataSource, 'enquiries', ENQUIRIES_PER_ADDRESS)
    this.#perRecipient = new Attempts(dataSource, 'enquiries-recipient', ENQUIRIES_PER_RECIPIENT)
  }

  /**
   * Keeps a support ticket, mails it to the support team, and mails its number to the person.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  openTicket({ category, ...ticket }: Ticket, sender: Sender): Promise<{ number: number }> {
    return this.#receive({ ...ticket, kind: 'support', facts: { Category: category } }, sender)
  }

  /**
   * Keeps the enquiry of a company, mails it to the sales team, and mails its number to the person.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  sendEnterprise(enquiry: Enterprise, sender: Sender): Promise<{ number: number }> {
    const { firstName, lastName, email, company, jobTitle, companySize, monthlyVolume, phone, message } = enquiry
    const facts = {
      Company: company,
      'Job title': jobTitle,
      'Company size': `${companySize} employees`,
      'Monthly volume': monthlyVolume,
      ...(phone ? { Phone: phone } : {}),
    }
    const name = `${firstName} ${lastName}`
    return this.#receive({ kind: 'enterprise', name, email, subject: company, message, facts }, sender)
  }

  async list({ limit, before, kind, state, q }: Page): Promise<Enquiry[]> {
    const values = [limit, before ?? null, kind ?? null, state ?? null, q ?? null]
    const rows: Row[] = await this.dataSource.query(LIST, values)
    return rows.map(toEnquiry)
  }

  /**
   * Answers an enquiry, once: of two operators at the same moment one is refused, so that a person gets one answer.
   *
   * @throws DomainError `NOT_FOUND`; `CONFLICT` when it was answered or closed already
   */
  async answer(id: string, text: string, adminId: string): Promise<Enquiry> {
    return this.dataSource.transaction(async dbTx => {
      const [rows]: [Row[], number] = await dbTx.query(
        `UPDATE enquiry SET state = 'answered', answer = $2, answered_by = $3, answered_at = now()
         WHERE id = $1 AND state = 'open' RETURNING ${COLUMNS}`,
        [id, text, adminId],
      )
      const [row] = rows
      if (!row) throw await refusalOf(dbTx, id)
      const data = { enquiryId: id, userId: row.userId }
      await queueMail(dbTx, { kind: ENQUIRY_ANSWERED, recipient: row.email, data })
      return toEnquiry(row)
    })
  }

  /** @throws DomainError `NOT_FOUND` */
  async close(id: string): Promise<Enquiry> {
    const [rows]: [Row[], number] = await this.dataSource.query(
      `UPDATE enquiry SET state = 'closed' WHERE id = $1 RETURNING ${COLUMNS}`,
      [id],
    )
    if (!rows[0]) throw new DomainError('NOT_FOUND')
    return toEnquiry(rows[0])
  }

  async #receive(enquiry: NewEnquiry, { userId, clientIp }: Sender): Promise<{ number: number }> {
    const { kind, name, email, subject, message, facts } = enquiry
    await this.#perAddress.count(addressKey(clientIp))
    await this.#perRecipient.count(recipientKey(email))
    return this.dataSource.transaction(async dbTx => {
      const id = newId(Date.now())
      const [row]: { number: number }[] = await dbTx.query(
        `INSERT INTO enquiry (id, kind, name, email, user_id, subject, message, facts)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number::int`,
        [id, kind, name, email, userId, subject, message, JSON.stringify(facts)],
      )
      await queueMail(dbTx, { kind: ENQUIRY_ARRIVED, recipient: this.#teamOf(kind), data: { enquiryId: id } })
      // Whose mail it is: their export has it, and it is erased with their account.
      await queueMail(dbTx, { kind: ENQUIRY_RECEIVED, recipient: email, data: { enquiryId: id, userId } })
      return { number: row!.number }
    })
  }

  #teamOf(kind: EnquiryKind): string {
    return kind === 'support' ? this.config.SUPPORT_EMAIL : this.config.SALES_EMAIL
  }
}

/** Why an enquiry cannot be answered. */
async function refusalOf(dbTx: EntityManager, id: string): Promise<DomainError> {
  const [row] = await dbTx.query('SELECT 1 FROM enquiry WHERE id = $1', [id])
  return row
    ? new DomainError('CONFLICT', undefined, 'It was answered or closed already. Please look again.')
    : new DomainError('NOT_FOUND')
}

function toEnquiry({ createdAt, answer, answeredBy, answeredAt, ...row }: Row): Enquiry {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    answer:
      answer !== null && answeredBy && answeredAt
        ? { text: answer, by: answeredBy, at: answeredAt.toISOString() }
        : null,
  }
}
