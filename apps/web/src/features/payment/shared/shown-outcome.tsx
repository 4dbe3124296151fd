import { useState } from 'react'
import { Notice } from '../../../components/notice.js'
import { toastError } from '../../../lib/toast.js'
import { Declined } from '../declined.js'

export const CARD_FAILED = 'There was an error processing your payment.'

/** Shows how the last card ended: refused with the provider's words, or not known. */
export function useShownOutcome(problem: string | null, onDone: () => void) {
  const [declined, setDeclined] = useState(problem)
  const [isUnknown, setUnknown] = useState(false)
  const shown = isUnknown ? (
    <Notice tone="trouble" alert title="The payment provider does not answer">
      Whether your card was taken is not known yet. Load this page again in a moment: it then shows what is true, and
      nothing is charged twice.
    </Notice>
  ) : (
    declined !== null && <Declined words={declined} />
  )
  const outcome = {
    onDone,
    onRefused(words: string | null) {
      setUnknown(false)
      setDeclined(words || CARD_FAILED)
      toastError('Payment Failed', words || CARD_FAILED)
    },
    onUnknown: () => setUnknown(true),
  }
  return { shown, outcome }
}
