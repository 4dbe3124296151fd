/**
 * Something a person can put right. Its message is one sentence that says what is wrong and what to do; it is shown
 * without a stack. Everything else that is thrown is a fault of ours and is shown whole.
 */
export class Failure extends Error {
  /** @param {string} sentence @param {string[]} [details] lines shown below it, such as the end of a log */
  constructor(sentence, details = []) {
    super(sentence)
    this.name = 'Failure'
    this.details = details
  }
}

/** The person asked us to stop, and what was under way gave up because of it. */
export class Interrupted extends Error {
  constructor() {
    super('interrupted')
    this.name = 'Interrupted'
  }
}
