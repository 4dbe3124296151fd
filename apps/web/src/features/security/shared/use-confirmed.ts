import type { ConfirmationMethod } from '@holdfast/kernel/second-factors'
import { useState } from 'react'
import type { Outcome } from '../../../lib/command-outcome.js'

/** The code of a refusal until the person has shown again who they are. */
export const CONFIRMATION_REQUIRED = 'CONFIRMATION_REQUIRED'

/** What waits until the person has shown again who they are. */
export interface Waiting {
  readonly methods: readonly ConfirmationMethod[]
  readonly again: () => void
}

/** Runs commands that need a person who has shown a short time ago who they are. */
export interface Confirmed {
  /**
   * Runs a command. When it is refused until the person confirms who they are, it runs again after that.
   *
   * @param onDone gets the answer of the run that succeeded
   * @returns how the first run ended
   */
  readonly run: <Answer>(
    command: () => Promise<Outcome<Answer> | null>,
    onDone?: (answer: Answer) => unknown,
  ) => Promise<Outcome<Answer> | null>
  readonly waiting: Waiting | null
  /** Runs again what waits. */
  readonly goOn: () => void
  readonly cancel: () => void
}

export function useConfirmed(): Confirmed {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  const run: Confirmed['run'] = (command, onDone) => {
    const start = async () => {
      const outcome = await command()
      if (outcome?.kind === 'done') await onDone?.(outcome.answer)
      if (outcome?.kind === 'refused' && outcome.error.code === CONFIRMATION_REQUIRED) {
        const methods = (outcome.error.details?.methods ?? ['password']) as ConfirmationMethod[]
        setWaiting({ methods, again: () => void start() })
      }
      return outcome
    }
    return start()
  }

  return {
    run,
    waiting,
    goOn: () => {
      setWaiting(null)
      waiting?.again()
    },
    cancel: () => setWaiting(null),
  }
}
