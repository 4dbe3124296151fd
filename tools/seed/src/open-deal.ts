import type { PartyRole } from '@holdfast/kernel/deals'
import type { Member } from './member.js'
import type { Sandbox } from './sandbox.js'

/** A deal of the demo that has been opened, with its two parties. */
export interface OpenDeal {
  readonly id: number
  readonly parties: Readonly<Record<PartyRole, Member>>
  readonly mediator: Member
  readonly sandbox: Sandbox
}
