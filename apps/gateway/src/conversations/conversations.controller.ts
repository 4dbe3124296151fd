import { type Conversation, messageInternalRoutes, messageRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { linkFullPage } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { People } from '../people/people.js'
import { ServiceCalls } from '../services/service-calls.js'

const { listConversations } = messageRoutes
const { listConversationRecords, listCounterparties } = messageInternalRoutes

/** Joins the chats of a user with the profiles of the other parties. */
@Controller()
export class ConversationsController {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly people: People,
  ) {}

  @Route(listConversations)
  async list({ query }: Parsed<typeof listConversations>, ctx: Ctx<typeof listConversations>): Promise<Conversation[]> {
    const { limit, before, unread, q } = query
    const search = q === undefined ? {} : { search: { text: q, others: await this.findPeople(q, ctx) } }
    const body = { limit, ...(before ? { before } : {}), unread: unread === 'true', ...search }
    const records = await this.calls.call('messaging-svc', listConversationRecords, { body }, { ...ctx, isRead: true })
    linkFullPage(ctx, listConversations, { page: records, limit }, last => ({
      query: { ...query, before: last.position },
    }))
    return Promise.all(
      records.map(async ({ otherId, ...record }) => ({ ...record, other: await this.people.party(otherId) })),
    )
  }

  /** The people of the user's chats whose name or username has a text. Only identity-svc knows names. */
  private async findPeople(text: string, ctx: Ctx<typeof listConversations>): Promise<string[]> {
    const ids = await this.calls.call('messaging-svc', listCounterparties, {}, ctx)
    const people = await Promise.all(ids.map(id => this.people.party(id)))
    const wanted = text.toLowerCase()
    return people
      .filter(({ firstName, lastName, username }) =>
        `${firstName} ${lastName} @${username}`.toLowerCase().includes(wanted),
      )
      .map(({ id }) => id)
  }
}
