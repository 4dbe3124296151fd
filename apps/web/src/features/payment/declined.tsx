import { Notice } from '../../components/notice.js'

/** Why the last card was not taken. Nothing was charged, and the form stays as it was. */
export function Declined({ words }: { words: string }) {
  return (
    <Notice tone="trouble" alert title="Payment Failed">
      {words} Nothing was charged. Check the card, or use another one.
    </Notice>
  )
}
