import { Notice } from '../../components/notice.js'

/** Why the last card was not taken, after the payment was read anew. Another attempt may have paid, so the words are about this one alone. */
export function Declined({ words }: { words: string }) {
  return (
    <Notice tone="trouble" alert title="Payment Failed">
      {words} This attempt charged nothing. Check the card, or use another one.
    </Notice>
  )
}
