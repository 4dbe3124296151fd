import { messageInternalRoutes as internalRoutes, messageRoutes as routes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { requireUser } from '@holdfast/service-kit/auth/require-user'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { ConversationsService } from './conversations.service.js'

@Controller()
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Route(routes.readMessages)
  read({ params, body }: Parsed<typeof routes.readMessages>, { actor }: Ctx<typeof routes.readMessages>) {
    return this.conversations.read(params.id, actor.id, body.upTo)
  }

  @Route(routes.readConversations)
  readAll(_: Parsed<typeof routes.readConversations>, { actor }: Ctx<typeof routes.readConversations>) {
    return this.conversations.readAll(actor.id)
  }

  @Route(internalRoutes.listConversationRecords)
  list(
    { body }: Parsed<typeof internalRoutes.listConversationRecords>,
    { actor }: Ctx<typeof internalRoutes.listConversationRecords>,
  ) {
    return this.conversations.list(requireUser(actor).id, body)
  }

  @Route(internalRoutes.listCounterparties)
  counterparties(_: unknown, { actor }: Ctx<typeof internalRoutes.listCounterparties>) {
    return this.conversations.counterparties(requireUser(actor).id)
  }
}
