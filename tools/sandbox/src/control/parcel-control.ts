import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { MOVES, move, parcelId } from '../carrier/parcels.js'
import { type ControlApiOptions, ControlError, done, parseBody } from './control-request.js'
import { overviewOfParcel, overviewOfParcels } from './overview.js'

const MAX_CODE_LENGTH = 60

const moveBody = z.strictObject({
  status: z.enum(MOVES),
  /** When the scan happened; now when absent. With it a test can send an old scan. */
  datetime: z.iso.datetime({ offset: true }).optional(),
  message: z.string().max(200).optional(),
})

type ByCode = { Params: { code: string } }

/** Routes that move parcels. A parcel without a tracker can be moved, too. */
export function parcelControl(app: FastifyInstance, options: ControlApiOptions): void {
  const { context } = options
  app.get('/parcels', async () => overviewOfParcels(context))
  app.get<ByCode>('/parcels/:code', async request => {
    const parcel = context.state.parcels.get(parcelId(request.params.code))
    if (!parcel) throw new ControlError(404, 'There is no such parcel.')
    return overviewOfParcel(context, parcel)
  })
  app.post<ByCode>('/parcels/:code/move', (request, reply) => {
    const { code } = request.params
    if (code.length > MAX_CODE_LENGTH || parcelId(code) === '') throw new ControlError(422, 'code: is no parcel number')
    const { status, datetime, message } = parseBody(moveBody, request.body)
    const moved = move(context, code, status, {
      ...(datetime ? { at: Date.parse(datetime) } : {}),
      ...(message ? { message } : {}),
    })
    return done(options, request, reply, overviewOfParcel(context, moved))
  })
}
