/**
 * Something that the person at the terminal can correct. The message is one sentence that says what is wrong and what to
 * do; it is shown without a stack. Any other error is a fault in the launcher and is shown with its stack.
 */
export class Failure extends Error {
  /** @param {string} sentence @param {string[]} [details] lines shown below it, such as the end of a log */
  constructor(sentence, details = []) {
    super(sentence)
    this.name = 'Failure'
    this.details = details
  }
}

/** Work that was given up because the person asked the launcher to stop. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}
