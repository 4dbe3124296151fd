import { cleanLine } from '@holdfast/kernel/text'
import { withoutLinks } from '@holdfast/names/links'

/** More than a user can write into any form. */
const MAX_WRITTEN_LENGTH = 5_000

/** Who reads a mail. */
export interface Reader {
  /** Somebody has opened a link that was mailed to this address, and it is that of an account, or it is one of ours. */
  readonly isConfirmed: boolean
}

/** What a user wrote: a name, a title, a message. */
class Written {
  constructor(
    readonly text: string,
    readonly instead: string | null,
  ) {}
}
/** Words of ours that the code chose among others, such as a label. */
class Ours {
  constructor(readonly text: string) {}
}

/**
 * What a user wrote, for a sentence of a mail. A mail program finds no link in it. Whoever types an address into a form could otherwise have
 * us send words of theirs to a stranger, so a reader whose address is not confirmed gets `instead`, or, without it, not this sentence.
 */
export const written = (text: string, instead: string | null = null): Written => new Written(text, instead)

/** Words of ours for a sentence of a mail. Nothing that a user wrote is in them. */
export const ours = (text: string): Ours => new Ours(text)

/** A sentence of a mail. It knows which of its words a user wrote. */
export class Sentence {
  constructor(
    private readonly strings: readonly string[],
    private readonly values: readonly (Written | Ours)[],
  ) {}

  /** What the reader gets; null when they do not get this sentence. */
  for({ isConfirmed }: Reader): string | null {
    let text = this.strings[0] ?? ''
    for (const [index, value] of this.values.entries()) {
      const words = value instanceof Ours ? value.text : isConfirmed ? shown(value.text) : value.instead
      if (words === null) return null
      text += words + (this.strings[index + 1] ?? '')
    }
    return text
  }
}

const shown = (text: string): string => withoutLinks(text).slice(0, MAX_WRITTEN_LENGTH)

/**
 * A sentence of a mail, as a tagged template: say`You sold “${written(title, 'an item')}”.` A plain text in it is a type error: it must be said
 * whether a user wrote it.
 */
export const say = (strings: TemplateStringsArray, ...values: readonly (Written | Ours)[]): Sentence =>
  new Sentence(strings, values)

/** What is quoted of a user has no more characters than this. */
const MAX_QUOTED_LENGTH = 120

/** Quotation marks, with which a user's words could seem to end before they do. */
const QUOTATION_MARKS = /["“”„‟«»]/g

/** A user's words as one line in quotation marks, without links and with a limit. Also for readers whose address is not confirmed. */
export function quoted(text: string): string {
  const line = withoutLinks(cleanLine(text)).replace(QUOTATION_MARKS, "'")
  const signs = [...line]
  return `“${signs.length > MAX_QUOTED_LENGTH ? `${signs.slice(0, MAX_QUOTED_LENGTH).join('')}…` : line}”`
}
