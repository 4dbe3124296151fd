/** A text as a sentence: with a full stop when it has no end of its own. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
