import { type PayloadOf, transactionCompleted, transactionShipped } from '@holdfast/contracts/events'
import { type BatchContext, type EventContext, type HandledEvent, type OnceContext, OnEvent } from './on-event.js'

type Completed = PayloadOf<typeof transactionCompleted>

// This code never runs. The type check proves which handlers compile.
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

    // @ts-expect-error the handler does not declare how it treats a repeated event
    @OnEvent(transactionCompleted)
    async undeclared(_payload: Completed): Promise<void> {}

    // @ts-expect-error the handler does not take the context, which has the dbTx
    @OnEvent(transactionCompleted, { consumer: 'forgotten' })
    async withoutContext(_payload: Completed): Promise<void> {}

    // @ts-expect-error the handler does not take the dbTx from its context
    @OnEvent(transactionCompleted, { consumer: 'forgotten' })
    async withoutDbTx(_payload: Completed, _context: EventContext): Promise<void> {}

    // @ts-expect-error the batch handler does not take the dbTx from its context
    @OnEvent(transactionCompleted, { consumer: 'forgotten', batch: true })
    async batchWithoutDbTx(_events: readonly HandledEvent<typeof transactionCompleted>[]): Promise<void> {}

    // @ts-expect-error an idempotent handler has no dbTx of the inbox
    @OnEvent(transactionCompleted, { idempotent: 'it does nothing' })
    async idempotentWithDbTx(_payload: Completed, _context: OnceContext): Promise<void> {}

    // @ts-expect-error the payload belongs to another event
    @OnEvent(transactionCompleted, { consumer: 'other' })
    async otherPayload(_payload: PayloadOf<typeof transactionShipped>, _context: OnceContext): Promise<void> {}
  }
  return Handlers
}

test('an idempotent handler must give a reason', () => {
  expect(() => OnEvent(transactionCompleted, { idempotent: '' })).toThrow('says why')
})
