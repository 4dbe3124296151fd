import type { ListedDispute } from '@holdfast/contracts/disputes'
import type { PartyRole } from '@holdfast/kernel/deals'

/** A turn in a few words, and whether the reader can do something. */
export interface Turn {
  readonly words: string
  readonly isMine: boolean
}

/** Whose turn it is in a dispute that runs, as one of its parties reads it. `firstNames` are those of the deal's parties. */
export function turnOf(
  { turn, proposedTo, buyerId }: Pick<ListedDispute, 'turn' | 'proposedTo' | 'buyerId'>,
  userId: string,
  firstNames: Record<PartyRole, string>,
): Turn {
  const own: PartyRole = buyerId === userId ? 'buyer' : 'seller'
  const other = firstNames[own === 'buyer' ? 'seller' : 'buyer']
  const isOwn = turn === own || turn === 'both'
  if (!isOwn && proposedTo === own) return { words: `Your turn: answer ${other}’s proposal`, isMine: true }
  switch (turn) {
    case 'buyer':
    case 'seller':
      return turn === own ? { words: 'Your turn', isMine: true } : { words: `${other}’s turn`, isMine: false }
    case 'both':
      return { words: `Your turn, and ${other}’s`, isMine: true }
    case 'mediator':
      return { words: 'A mediator’s turn', isMine: false }
    case 'carrier':
      return { words: 'The item is on its way back', isMine: false }
    case 'none':
      return { words: 'What was decided is being carried out', isMine: false }
  }
}
