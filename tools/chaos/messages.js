import { encodePicture, measurePicture } from '@holdfast/pictures/encode-picture'
import { png } from '../../e2e/support/picture.js'
import { purchaseOf, sessionCookie } from '../bench/prepare.js'
import { RepeatedRequests, send } from './repeated-requests.js'

/** How long all of them may take to be read. Thousands of a long run need minutes. */
const READ_WITHIN_MS = 180_000
const WIDEST = 100

const wordsAbout = listing => `Is everything there that belongs to listing ${listing}?`

/**
 * A picture as the product stores it.
 *
 * @param {Buffer} picture
 */
export async function storedAs(picture) {
  const measured = await measurePicture(picture)
  const stored = typeof measured === 'string' ? measured : await encodePicture(measured)
  if (typeof stored === 'string') throw new Error(`the picture is refused: ${stored}`)
  return stored
}

/** A picture whose size no other listing's picture has, so that it cannot be mistaken for another one. */
const pictureOf = listing => png(1 + (listing % WIDEST), 1 + Math.floor(listing / WIDEST), [190, 60, 40])

/** What the buyer of a listing writes in the chat of the deal: words and a picture. */
export const messageAbout = listing => ({
  content: wordsAbout(listing),
  images: [`data:image/png;base64,${pictureOf(listing).toString('base64')}`],
})

/**
 * What is wrong with messages that were acknowledged, as sentences. Each must be once in the chat of its deal, with its picture as the product
 * stores it.
 * @param {string} baseUrl
 * @param {readonly { listing: number, dealId: number }[]} sent
 */
export async function faultsOfMessages(baseUrl, sent, withinMs = READ_WITHIN_MS) {
  if (sent.length === 0) return ['no message was acknowledged']
  const reads = new RepeatedRequests()
  const found = { read: 0, missing: 0, repeated: 0, changed: 0 }
  const check = async ({ listing, dealId }) => {
    const headers = { cookie: sessionCookie(purchaseOf(listing).buyer) }
    const read = path => reads.untilDone(`GET ${path}`, () => send(baseUrl + path, { method: 'GET', headers }))
    const chat = await read(`/api/transactions/${dealId}/messages`)
    if (chat === null) return
    const messages = JSON.parse(chat.text).filter(({ content }) => content === wordsAbout(listing))
    if (messages.length === 0) found.missing++
    if (messages.length > 1) found.repeated++
    for (const { images } of messages) {
      const picture = images.length === 1 ? await read(images[0].url) : { bytes: Buffer.alloc(0) }
      if (picture === null) return
      if (!picture.bytes.equals(await storedAs(pictureOf(listing)))) found.changed++
    }
    found.read++
  }
  for (const each of sent) reads.track(check(each))
  await reads.finished(withinMs)
  reads.stop()
  const unread = sent.length - found.read
  /** @type {[number, string][]} */
  const counted = [
    [found.missing, 'messages that were acknowledged are missing'],
    [found.repeated, 'messages are there more than once'],
    [found.changed, 'pictures of messages are not those that were sent'],
    [unread, `messages or their pictures could not be read, such as ${reads.refusals[0] ?? reads.failures.at(-1)}`],
  ]
  return counted.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
}
