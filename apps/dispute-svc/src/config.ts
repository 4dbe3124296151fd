import { baseShape, databaseShape, dayShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { z } from 'zod'

/** The environment variables of this service. */
const configShape = { ...baseShape, ...databaseShape, ...dayShape, ESCROW_URL: z.url({ protocol: /^https?$/ }) }

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadDisputeConfig = (env?: NodeJS.ProcessEnv) => loadConfig(configShape, env)

export type DisputeConfig = ReturnType<typeof loadDisputeConfig>
