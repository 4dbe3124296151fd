import type { DisputeCase } from '@holdfast/contracts/disputes'
import { Badge } from '../../components/badge.js'

type Taken = Pick<DisputeCase, 'takenBy' | 'mediator'>

/** Who has taken a case; nothing where nobody has. The parties learn only that a mediator has. */
export function TakenBadge({ takenBy, mediator }: Taken) {
  if (takenBy === null) return null
  return <Badge>Taken by {takenBy === 'reader' ? 'you' : (mediator?.firstName ?? 'a mediator')}</Badge>
}
