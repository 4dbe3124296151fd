import { ConfigError } from '@holdfast/service-kit/lifecycle/config'

/** The names of the variables for which a configuration is refused: none when it is accepted. @param read reads the configuration */
export function refusedVariables(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return Object.keys(error.variables)
  }
}
