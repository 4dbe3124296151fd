import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BodySlots } from './body-slots.js'

/** Slots for three requests, whose bodies are all still arriving. */
function scene() {
  const slots = new BodySlots({ most: 3, mostPerSender: 3 })
  const cutOff: string[] = []
  /** @returns what happens when the connection of the answer closes */
  const take = (sender: string): (() => void) => {
    const raw = { complete: false, socket: { bytesRead: 0 }, destroy: () => cutOff.push(sender) }
    const answer = new EventEmitter()
    const [request, reply] = [{ raw }, { raw: answer }] as unknown as [FastifyRequest, FastifyReply]
    slots.take(sender, request, reply, own => slots.cutOffInFavourOf(own + 1))
    return () => answer.emit('close')
  }
  return { take, cutOff }
}

test('when all slots are taken, a sender gets one of another who would still have more, and of no other', () => {
  const { take, cutOff } = scene()
  for (const sender of ['greedy', 'greedy', 'ana']) take(sender)
  expect(() => take('ben')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
  expect(cutOff).toEqual([])
  const { take: takeAgain, cutOff: cutOffAgain } = scene()
  for (const sender of ['greedy', 'greedy', 'greedy', 'ben']) takeAgain(sender)
  expect(cutOffAgain).toEqual(['greedy'])
})

test('a sender has so many slots, and each is free again when its connection closes', () => {
  const { take } = scene()
  const [close] = ['ana', 'ana', 'ana'].map(take)
  expect(() => take('ana')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
  close!()
  take('ana')
  expect(() => take('ana')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }))
})
