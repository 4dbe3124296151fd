import {
  assertAllowed,
  COMMAND_TYPES,
  type CommandType,
  checkTransitions,
  isAllowed,
  ROLES,
  STATES,
  type State,
  TRANSITIONS,
} from './transitions.js'

const BY_PROVIDER = [
  'openChargeback',
  'winChargeback',
  'loseChargeback',
  'recordRefund',
] as const satisfies readonly CommandType[]

/** The same rules written a second time and in another form: by state, then by role. */
const ALLOWED: Partial<Record<State, Partial<Record<(typeof ROLES)[number], CommandType[]>>>> = {
  pending: {
    buyer: ['cancel'],
    seller: ['cancel'],
    clock: ['endPaymentWindow'],
    provider: ['secureFunds', 'recordFunds'],
  },
  secured: { provider: ['returnFunds', 'recordFunds'] },
  paid: {
    buyer: ['confirmDelivery'],
    seller: ['saveTracking', 'startHandover', 'refund'],
    clock: ['endShipBy'],
    mediation: ['freeze'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  in_progress: {
    buyer: ['confirmDelivery'],
    seller: ['saveTracking', 'refund'],
    clock: ['endReceiveBy'],
    mediation: ['freeze'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  shipped: {
    buyer: ['confirmDelivery'],
    seller: ['saveTracking', 'refund'],
    clock: ['endReceiveBy'],
    carrier: ['recordDelivery'],
    mediation: ['freeze'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  delivered: {
    buyer: ['accept'],
    seller: ['refund'],
    mediation: ['freeze'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  inspection: {
    buyer: ['accept'],
    seller: ['refund'],
    clock: ['endInspection'],
    mediation: ['freeze'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  disputed: {
    clock: ['endShipBy'],
    mediation: ['resume', 'settleDispute'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  overdue: {
    buyer: ['confirmDelivery'],
    seller: ['refund'],
    carrier: ['recordDelivery'],
    mediation: ['settleDispute'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
  charged_back: { provider: [...BY_PROVIDER] },
  short: {
    seller: ['refund'],
    clock: ['endShipBy'],
    mediation: ['settleDispute'],
    operator: ['forceRefund'],
    provider: [...BY_PROVIDER],
  },
}

const triples = STATES.flatMap(state => ROLES.flatMap(role => COMMAND_TYPES.map(command => ({ state, role, command }))))

describe('the transition table', () => {
  it('passes the check that runs at boot', () => {
    expect(() => checkTransitions()).not.toThrow()
  })

  it.each(triples)('$command by the $role while $state', ({ state, role, command }) => {
    const expected = ALLOWED[state]?.[role]?.includes(command) ?? false
    expect(isAllowed(command, role, state)).toBe(expected)
    if (expected) expect(() => assertAllowed(command, role, state)).not.toThrow()
    else expect(() => assertAllowed(command, role, state)).toThrow()
  })

  it('refuses a role that never gives a command as forbidden', () => {
    expect(() => assertAllowed('accept', 'seller', 'inspection')).toThrow(
      expect.objectContaining({ code: 'FORBIDDEN' }),
    )
  })

  it('names the status, the target and the allowed commands when a command does not start in this status', () => {
    const refusal = {
      code: 'ESCROW_WRONG_STATE',
      details: { from: 'paid', to: 'completed', allowed: ['confirmDelivery'] },
    }
    expect(() => assertAllowed('accept', 'buyer', 'paid')).toThrow(expect.objectContaining(refusal))
  })

  it('names an overdue deal by its status, which is disputed', () => {
    const refusal = {
      code: 'ESCROW_WRONG_STATE',
      details: { from: 'disputed', to: 'completed', allowed: ['confirmDelivery'] },
    }
    expect(() => assertAllowed('accept', 'buyer', 'overdue')).toThrow(expect.objectContaining(refusal))
  })

  it('is refused at boot when a status cannot be reached, a command appears twice, or a deal could never end', () => {
    const without = (...commands: CommandType[]) => TRANSITIONS.filter(each => !commands.includes(each.command))
    expect(() => checkTransitions(without('recordFunds'))).toThrow(
      /recordFunds appears 0 times.*paid cannot be reached/,
    )
    expect(() => checkTransitions([...TRANSITIONS, TRANSITIONS[0]!])).toThrow(/secureFunds appears 2 times/)
    expect(() =>
      checkTransitions(without('resume', 'settleDispute', 'forceRefund', 'endShipBy', ...BY_PROVIDER)),
    ).toThrow(/disputed leads to no end/)
  })
})
