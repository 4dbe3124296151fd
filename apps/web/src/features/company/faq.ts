import { CRYPTO_QUOTE_MINUTES } from '@holdfast/kernel/crypto'
import { HELD_BY } from '../../lib/operator.js'
import { isOffered, waysToPay } from '../payment/shared/methods.js'
import { FEES_SENTENCE } from '../plans/shared/plan-words.js'

export const FAQ_TOPICS = ['Buying & Selling', 'Escrow & Security', 'Payments & Fees', 'Account & Profile'] as const
export type FaqTopic = (typeof FAQ_TOPICS)[number]

interface FaqEntry {
  readonly category: 'general' | 'buying' | 'selling' | 'account'
  readonly topic: FaqTopic
  readonly question: string
  readonly answer: string
}

export const FAQ: readonly FaqEntry[] = [
  {
    category: 'general',
    topic: 'Escrow & Security',
    question: 'How does escrow work here?',
    answer:
      'The buyer pays into escrow and the seller ships. Delivery starts the inspection period. When the buyer accepts, or the inspection period ends without a dispute, the money is released to the seller. Until then neither side can spend it, and neither can we.',
  },
  {
    category: 'general',
    topic: 'Payments & Fees',
    question: 'Which currencies can I use?',
    answer: `Prices are in US dollars. You pay ${waysToPay({
      card: 'by card',
      bank: 'by bank transfer',
      crypto: `in Bitcoin, Ethereum, USDC or USDT, at a price that holds for ${CRYPTO_QUOTE_MINUTES} minutes`,
    })}. Other currencies (EUR, GBP, CAD, AUD, JPY) and ${
      isOffered('crypto') ? 'other cryptocurrencies (LTC, ADA and more)' : 'cryptocurrencies'
    } are planned. Held money is held by ${HELD_BY}.`,
  },
  {
    category: 'buying',
    topic: 'Buying & Selling',
    question: 'What if nothing arrives?',
    answer:
      'If nothing is shipped within 7 days of your payment, you are automatically refunded in full. If something was shipped and neither you nor the carrier confirms its arrival in time, a mediator looks at it. Your money is not released before that.',
  },
  {
    category: 'buying',
    topic: 'Escrow & Security',
    question: 'What if the item is not as described?',
    answer:
      'Do not accept it. File a dispute before the inspection period ends: the money then stays held, and a mediator hears both sides.',
  },
  {
    category: 'selling',
    topic: 'Buying & Selling',
    question: 'When should I ship?',
    answer:
      'When the transaction says that the money is held, and within 7 days of that. Save the tracking number: the carrier’s word moves the transaction along.',
  },
  {
    category: 'selling',
    topic: 'Payments & Fees',
    question: 'What does it cost?',
    answer: `${FEES_SENTENCE} Paying by card adds a surcharge. The payment page states the whole total before anything is charged.`,
  },
  {
    category: 'account',
    topic: 'Account & Profile',
    question: 'How do I get verified?',
    answer:
      'Send pictures of the front and back of a government photo ID and a selfie, under Get Verified. The review takes 1-2 business days, and you get a mail.',
  },
  {
    category: 'account',
    topic: 'Account & Profile',
    question: 'Why is there an amber dot?',
    answer:
      'Amber means that something waits for you: a payment, a shipment, an inspection. The sentence beside it says what, until when, and what happens otherwise.',
  },
]

/** Entries of a topic (null: of all) whose question or answer holds the text. */
export function filterFaq(text: string, topic: FaqTopic | null): readonly FaqEntry[] {
  const wanted = text.trim().toLowerCase()
  return FAQ.filter(
    entry =>
      (topic === null || entry.topic === topic) && `${entry.question} ${entry.answer}`.toLowerCase().includes(wanted),
  )
}
