import http from 'node:http'
import { listen } from '../dev/listen.js'
import { faultsOfMessages, messageAbout, storedAs } from './messages.js'

const undo = []
afterEach(() => {
  for (const step of undo.splice(0)) step()
})

/**
 * A product that has these messages in the chat of each deal, which has the id of its listing.
 *
 * @param {(listing: number, picture: string) => object[]} messagesOf
 * @param {(listing: number) => Buffer | number | Promise<Buffer>} pictureOf the picture, or the status of a refusal
 */
async function productWith(messagesOf, pictureOf = storedPicture) {
  const server = http.createServer(async ({ url = '' }, answer) => {
    const [, , , id, , , , number] = url.split('/')
    if (number === undefined) return answer.end(JSON.stringify(messagesOf(Number(id), `${url}/m1/images/0`)))
    const picture = await pictureOf(Number(id))
    answer.writeHead(typeof picture === 'number' ? picture : 200).end(typeof picture === 'number' ? '' : picture)
  })
  const port = await listen(server)
  undo.push(() => server.closeAllConnections())
  undo.push(() => server.close())
  return `http://127.0.0.1:${port}`
}

async function storedPicture(listing) {
  const [, base64] = messageAbout(listing).images[0].split(',')
  return storedAs(Buffer.from(base64, 'base64'))
}
const said = (listing, url) => ({ content: messageAbout(listing).content, images: [{ url }] })
const system = { content: 'The buyer has paid.', images: [] }
const SENT = [1, 2, 9_999].map(listing => ({ listing, dealId: listing }))

it('messages that are there once with their pictures are right', async () => {
  const url = await productWith((listing, picture) => [system, said(listing, picture)])
  expect(await faultsOfMessages(url, SENT)).toEqual([])
})

it('a missing message, one that is there twice, and a picture that is another one or none are found', async () => {
  const missing = await productWith(() => [system])
  expect(await faultsOfMessages(missing, SENT)).toEqual(['3 messages that were acknowledged are missing'])
  const twice = await productWith((listing, picture) => [said(listing, picture), said(listing, picture)])
  expect(await faultsOfMessages(twice, SENT)).toEqual(['3 messages are there more than once'])
  const others = await productWith(
    (listing, picture) => [said(listing, picture)],
    listing => storedPicture(listing + 1),
  )
  expect(await faultsOfMessages(others, SENT)).toEqual(['3 pictures of messages are not those that were sent'])
  const without = await productWith(listing => [{ ...said(listing), images: [] }])
  expect(await faultsOfMessages(without, SENT)).toEqual(['3 pictures of messages are not those that were sent'])
})

it('a picture that is refused or fails is not read, and a run without a message proves nothing', async () => {
  const gone = await productWith(
    (listing, picture) => [said(listing, picture)],
    listing => (listing === 1 ? 404 : storedPicture(listing)),
  )
  expect(await faultsOfMessages(gone, SENT)).toEqual([expect.stringMatching(/^1 messages .* could not be read.* 404/)])
  const failing = await productWith(
    (listing, picture) => [said(listing, picture)],
    () => 500,
  )
  expect(await faultsOfMessages(failing, SENT, 100)).toEqual([expect.stringMatching(/^3 messages .* 500/)])
  expect(await faultsOfMessages(failing, [])).toEqual(['no message was acknowledged'])
})
