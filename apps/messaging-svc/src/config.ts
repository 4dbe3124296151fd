import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/config'
import { z } from 'zod'

/** The configuration of this process, read once. */
export const config = loadConfig({
  ...baseShape,
  ...databaseShape,
  EVENTS_TRANSPORT: z.enum(['embedded', 'kafka']).default('embedded'),
})
