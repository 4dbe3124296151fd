import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { flushLogs } from '@holdfast/service-kit/telemetry/logging'
import { createTransport } from '../src/create-transport.js'
import { dealEvent, stored } from './scratch-log.js'

// A process that publishes an event with the settings of its environment, as escrow-svc does, and ends when it has read it.
process.once('exit', flushLogs)
const config = loadConfig({ ...baseShape, ...databaseShape })
const transport = await createTransport(config, { service: 'escrow-svc', cleans: false })
await transport.start()
const event = dealEvent(1, 0)
let noteRead = (): void => {}
const read = new Promise<void>(resolve => {
  noteRead = resolve
})
const handler = ({ id }: { readonly id: string }): void => {
  if (id === event.id) noteRead()
}
await transport.tail({ topics: ['escrow.transaction'], handler })
await transport.publish([stored(event)])
await read
await transport.stop()
