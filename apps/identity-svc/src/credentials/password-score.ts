/**
 * Runs in a worker thread (`PasswordJudge`), because a judgement takes up to a tenth of a second. It imports nothing of ours: Node loads it
 * by itself, from the compiled package.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })

/** What is judged. */
export interface Judged {
  readonly password: string
  /** Words that a guesser tries first, besides the usual ones. */
  readonly words: readonly string[]
}

/** zxcvbn's score of a password, from 0 to 4: how many guesses it takes to find it. */
export default function scoreOf({ password, words }: Judged): number {
  return zxcvbn.check(password, [...words]).score
}
