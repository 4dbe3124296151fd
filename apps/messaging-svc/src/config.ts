import { baseShape, databaseShape, loadConfig } from '@holdfast/service-kit/config'

/** The configuration of this process, read once. */
export const config = loadConfig({ ...baseShape, ...databaseShape })
