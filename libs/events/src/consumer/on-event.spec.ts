import { type PayloadOf, transactionCompleted, transactionShipped } from '@holdfast/contracts/events'
import { expect, test } from '@jest/globals'
import { type BatchContext, type EventContext, type HandledEvent, type OnceContext, OnEvent } from './on-event.js'

type Completed = PayloadOf<typeof transactionCompleted>

// Never called: the type check proves what compiles and what does not.
export function declareHandlers() {
  class Handlers {
    @OnEvent(transactionCompleted, { consumer: 'once' })
    async once(_payload: Completed, _context: OnceContext): Promise<void> {}

    @OnEvent([transactionCompleted, transactionShipped], { consumer: 'batch', batch: true })
    async batch(
      _events: readonly HandledEvent<typeof transactionCompleted | typeof transactionShipped>[],
      _context: BatchContext,
    ): Promise<void> {}

    @OnEvent(transactionCompleted, { idempotent: 'it does nothing' })
    async idempotent(_payload: Completed): Promise<void> {}

    // @ts-expect-error a handler declares how it treats an event that comes again
    @OnEvent(transactionCompleted)
    async undeclared(_payload: Completed): Promise<void> {}

    // @ts-expect-error without the context there is no dbTx to write through
    @OnEvent(transactionCompleted, { consumer: 'forgotten' })
    async withoutContext(_payload: Completed): Promise<void> {}

    // @ts-expect-error it does not take the dbTx from its context
    @OnEvent(transactionCompleted, { consumer: 'forgotten' })
    async withoutDbTx(_payload: Completed, _context: EventContext): Promise<void> {}

    // @ts-expect-error nor does this one, for a batch
    @OnEvent(transactionCompleted, { consumer: 'forgotten', batch: true })
    async batchWithoutDbTx(_events: readonly HandledEvent<typeof transactionCompleted>[]): Promise<void> {}

    // @ts-expect-error an idempotent handler has no dbTx of the inbox
    @OnEvent(transactionCompleted, { idempotent: 'it does nothing' })
    async idempotentWithDbTx(_payload: Completed, _context: OnceContext): Promise<void> {}

    // @ts-expect-error the payload is another event's
    @OnEvent(transactionCompleted, { consumer: 'other' })
    async otherPayload(_payload: PayloadOf<typeof transactionShipped>, _context: OnceContext): Promise<void> {}
  }
  return Handlers
}

test('an idempotent handler must say why it is one', () => {
  expect(() => OnEvent(transactionCompleted, { idempotent: '' })).toThrow('says why')
})
