import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/config'
import { z } from 'zod'

export const config = loadConfig({ ...baseShape, ...databaseShape, ESCROW_URL: z.url({ protocol: /^https?$/ }) })
