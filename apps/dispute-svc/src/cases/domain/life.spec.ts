import { ACTORS, CASE_COMMANDS, isRefusedByBank, LIFE, stepOf } from './life.js'
import { checkLife } from './life-check.js'
import { STAGES } from './stages.js'

describe('the life of a dispute', () => {
  it('passes the check that runs at boot', () => {
    expect(() => checkLife()).not.toThrow()
  })

  it('is refused at boot when a stage cannot be reached, a step is missing, or a dispute could wait for a party for ever', () => {
    const without = (...commands: string[]) => LIFE.filter(({ command }) => !commands.includes(command))
    expect(() => checkLife(without('appeal'))).toThrow(/appeal appears 0 times; appealed cannot be reached/)
    expect(() => checkLife(without('endReturnShipping'))).toThrow(/returning cannot end without the parties/)
    expect(() => checkLife(without('endResponse', 'investigate'))).toThrow(/open cannot end without the parties/)
  })

  it('lets neither party decide alone about money', () => {
    const splits = (party: 'buyer' | 'seller') =>
      CASE_COMMANDS.filter(command => stepOf(command).money === 'is split' && stepOf(command).by.includes(party))
    // The other side has proposed the same amount before, or a mediator has ruled.
    expect(splits('buyer')).toEqual(['agree', 'waiveAppeal'])
    // A mediator has ruled that the item goes back and the buyer is refunded.
    expect(splits('seller')).toEqual(['agree', 'waiveAppeal', 'confirmReturn'])
  })

  it('ends nothing for a mediator’s time limit', () => {
    const byClock = LIFE.filter(({ by }) => by.includes('clock')).map(({ command }) => command)
    expect(byClock).toEqual(['endResponse', 'endAppeal', 'endReturnShipping', 'endReturnArrival', 'endReturnCheck'])
  })

  it('refuses every step that moves money, and what leads to one, while the buyer’s bank decides', () => {
    const refused = CASE_COMMANDS.filter(command => isRefusedByBank({ waitsForBank: true }, command))
    const moving = CASE_COMMANDS.filter(command => ['is split', 'goes on'].includes(stepOf(command).money))
    expect(new Set(refused)).toEqual(new Set([...moving, 'propose', 'rule', 'askForRuling', 'approveRuling']))
    for (const command of CASE_COMMANDS) expect(isRefusedByBank({ waitsForBank: false }, command)).toBe(false)
  })

  it('knows every stage and role of its steps', () => {
    for (const { from, to, by } of LIFE) {
      for (const stage of [...from, ...(to === 'the same' ? [] : to)]) expect(STAGES).toContain(stage)
      for (const role of by) expect(ACTORS).toContain(role)
    }
  })
})
