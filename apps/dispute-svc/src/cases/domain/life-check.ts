import { type Move, reachable } from '@holdfast/kernel/reachable'
import { type ActorRole, CASE_COMMANDS, LIFE, type Step } from './life.js'
import { STAGES, type Stage } from './stages.js'

/**
 * Checks the table: each step appears once, every stage is reachable, and every dispute can end although neither party does
 * anything: by time limits, mediators and escrow. Called at boot, so that a service with a wrong table never starts.
 *
 * @throws Error that names every problem
 */
export function checkLife(life: readonly Step[] = LIFE): void {
  const problems: string[] = []
  for (const command of CASE_COMMANDS) {
    const count = life.filter(step => step.command === command).length
    if (count !== 1) problems.push(`${command} appears ${count} times`)
  }
  // `putBack` only returns to a stage that was reached before. `end` does not count below, because escrow may never end a dispute.
  const forward = life.filter(({ command }) => command !== 'putBack')
  const reached = reachable(moves(forward), 'opening')
  for (const stage of STAGES) if (!reached.has(stage)) problems.push(`${stage} cannot be reached`)
  const withoutParties = forward.filter(({ by, command }) => by.some(role => !isParty(role)) && command !== 'end')
  for (const stage of STAGES)
    if (!reachable(moves(withoutParties), stage).has('closed')) problems.push(`${stage} cannot end without the parties`)
  if (problems.length) throw new Error(`life of a dispute: ${problems.join('; ')}`)
}

const isParty = (role: ActorRole): boolean => role === 'buyer' || role === 'seller'

const moves = (life: readonly Step[]): Move<Stage>[] =>
  life.map(({ from, to }) => ({ from, to: to === 'the same' ? [] : to }))
