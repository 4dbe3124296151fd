/** How many messages the server sends at a time. */
export const CHAT_PAGE = 50
const FIRST_AT_MS = Date.now() - 24 * 3_600_000

/** Messages of both parties, oldest first. */
export const longChat = (deal, count) => Array.from({ length: count }, (_, index) => aMessage(deal, index))

/** A message of one to eight lines. The index decides its author, its length and its time. */
export const aMessage = (deal, index) => ({
  id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  transactionId: deal.id,
  senderId: (index % 3 === 0 ? deal.buyer : deal.seller).id,
  content: `Message ${index + 1}. ${'The astrolabe is as the listing says. '.repeat((index * 7) % 17)}`.trim(),
  images: [],
  isSystem: false,
  createdAt: new Date(FIRST_AT_MS + index * 60_000).toISOString(),
})

/** Answers the page's requests for the messages of a deal from this list, in place of the server. */
export const showChat = (page, deal, messages) =>
  page.route(`**/api/transactions/${deal.id}/messages*`, route => answerFrom(messages, route))

function answerFrom(messages, route) {
  const url = new URL(route.request().url())
  const before = url.searchParams.get('before')
  const end = before === null ? messages.length : messages.findIndex(({ id }) => id === before)
  const json = messages.slice(Math.max(0, end - CHAT_PAGE), end)
  const next = `<${url.pathname}?before=${json[0]?.id}>; rel="next"`
  return route.fulfill({ json, headers: end > CHAT_PAGE ? { link: next } : {} })
}
