import { messageInternalRoutes, messageRoutes } from '@holdfast/contracts/messages'
import type { Parsed } from '@holdfast/contracts/route'
import { DomainError } from '@holdfast/kernel/errors'
import { privateJpeg, sendPicture } from '@holdfast/pictures/send-picture'
import { callerLeft } from '@holdfast/service-kit/http/caller-left'
import { nextLink } from '@holdfast/service-kit/http/next-link'
import { type Ctx, Route } from '@holdfast/service-kit/http/route'
import { Controller } from '@nestjs/common'
import { MessagePictures } from './message-pictures.js'
import { MessagesService } from './messages.service.js'

type List = typeof messageRoutes.listMessages
type PostMessage = typeof messageRoutes.postMessage
type GetImage = typeof messageRoutes.getMessageImage

@Controller()
export class MessagesController {
  constructor(
    private readonly messages: MessagesService,
    private readonly pictures: MessagePictures,
  ) {}

  @Route(messageRoutes.listMessages)
  async list({ params, query }: Parsed<List>, { actor, reply }: Ctx<List>) {
    const { messages, before } = await this.messages.list(params.id, actor.id, query)
    const older = before && { params: { id: String(params.id) }, query: { ...query, before } }
    if (older) reply.header('link', nextLink(messageRoutes.listMessages, older))
    return messages
  }

  @Route(messageRoutes.postMessage)
  post({ params, body: { content, images } }: Parsed<PostMessage>, { actor, idempotencyKey, reply }: Ctx<PostMessage>) {
    const message = { transactionId: params.id, senderId: actor.id, content, images }
    return this.messages.post({ ...message, idempotencyKey, left: callerLeft(reply) })
  }

  @Route(messageRoutes.getMessageImage)
  async getImage({ params }: Parsed<GetImage>, ctx: Ctx<GetImage>) {
    const found = await this.pictures.find(params, ctx.actor.id)
    return sendPicture(found && privateJpeg(found.jpeg, found.hash), ctx)
  }

  @Route(messageInternalRoutes.getMessageImageOfDeal)
  async getImageOfDeal({ params }: Parsed<typeof messageInternalRoutes.getMessageImageOfDeal>) {
    const found = await this.pictures.find(params, null)
    if (!found) throw new DomainError('NOT_FOUND')
    return { jpeg: found.jpeg.toString('base64') }
  }

  @Route(messageInternalRoutes.listMessagesOfDeal)
  listAll({ params }: Parsed<typeof messageInternalRoutes.listMessagesOfDeal>) {
    return this.messages.listAll(params.id)
  }
}
