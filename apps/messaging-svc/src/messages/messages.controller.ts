import { messageInternalRoutes, messageRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { nextLink } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { MessagesService } from './messages.service.js'

type List = typeof messageRoutes.listMessages
type PostMessage = typeof messageRoutes.postMessage

@Controller()
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Route(messageRoutes.listMessages)
  async list({ params, query }: Parsed<List>, { actor, reply }: Ctx<List>) {
    const { messages, before } = await this.messages.list(params.id, actor.id, query)
    const older = before && { params: { id: String(params.id) }, query: { ...query, before } }
    if (older) reply.header('link', nextLink(messageRoutes.listMessages, older))
    return messages
  }

  @Route(messageRoutes.postMessage)
  post({ params, body: { content } }: Parsed<PostMessage>, { actor, idempotencyKey }: Ctx<PostMessage>) {
    return this.messages.post({ transactionId: params.id, senderId: actor.id, content, idempotencyKey })
  }

  @Route(messageInternalRoutes.listMessagesOfDeal)
  listAll({ params }: Parsed<typeof messageInternalRoutes.listMessagesOfDeal>) {
    return this.messages.listAll(params.id)
  }
}
