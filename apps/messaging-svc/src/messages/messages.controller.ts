import { messageRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { MessagesService } from './messages.service.js'

type List = typeof messageRoutes.listMessages
type PostMessage = typeof messageRoutes.postMessage

@Controller()
export class MessagesController {
  constructor(private readonly messages: MessagesService) {}

  @Route(messageRoutes.listMessages)
  list({ params, query }: Parsed<List>, { actor }: Ctx<List>) {
    return this.messages.list(params.id, actor.id, query.limit)
  }

  @Route(messageRoutes.postMessage)
  post({ params, body: { content } }: Parsed<PostMessage>, { actor, idempotencyKey }: Ctx<PostMessage>) {
    return this.messages.post({ transactionId: params.id, senderId: actor.id, content, idempotencyKey })
  }
}
