import { PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { answerPeople, aPerson } from '../../test/deals.js'
import { RunningGateway } from '../../test/running-gateway.js'

const gateway = new RunningGateway()
beforeAll(() => gateway.start())
afterAll(() => gateway.stop())

test('the people of a user are those whom they have saved, and the others of their deals who still have an account', async () => {
  const { services } = gateway
  const [saved, recent] = [aPerson('Ana'), aPerson('Ben')]
  const shown = (person: typeof saved) => PublicUser.parse(person)
  answerPeople(services, [saved, recent])
  services.on('identity-svc', 'GET', '/internal/contacts', () => [shown(saved)])
  const others = [saved.id, newId(), recent.id]
  services.on('messaging-svc', 'GET', '/internal/conversations/counterparties', () => others)
  const answer = await gateway.ask('GET', '/api/contacts', { token: services.signIn().token })
  expect(await answer.json()).toEqual({ saved: [shown(saved)], recent: [shown(recent)] })
})
