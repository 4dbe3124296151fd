import type { Deal } from '../deals/deal.entity.js'

/** The longest excerpt of a message in its notification, in characters as users see them. */
export const MAX_EXCERPT_LENGTH = 120

/** The notification of a message for the other party. */
export function messageNotification(deal: Pick<Deal, 'buyerId' | 'title'>, senderId: string, content: string) {
  const role = senderId === deal.buyerId ? 'buyer' : 'seller'
  return { title: `New message from the ${role}`, text: `${deal.title}: ${excerptOf(content)}` }
}

/** The beginning of a text on one line, cut between graphemes (characters as users see them). */
export function excerptOf(content: string): string {
  const line = content.replace(/\s+/g, ' ')
  const beginning: string[] = []
  for (const { segment } of CHARACTERS.segment(line)) {
    if (beginning.push(segment) > MAX_EXCERPT_LENGTH) break
  }
  if (beginning.length <= MAX_EXCERPT_LENGTH) return line
  return `${beginning
    .slice(0, MAX_EXCERPT_LENGTH - 1)
    .join('')
    .trimEnd()}…`
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })
