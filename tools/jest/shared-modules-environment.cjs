const { ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')

/** Runs the test files of a worker in the worker's own global scope, without a VM context (shared-modules-runtime.cjs). */
class SharedModulesEnvironment {
  #console = globalThis.console
  #exit = process.exit

  constructor({ projectConfig }) {
    this.global = globalThis
    this.options = projectConfig.testEnvironmentOptions
    this.moduleMocker = new ModuleMocker(globalThis)
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.fakeTimers = this.fakeTimersModern
  }

  /** Node maps stacks to the sources by itself, and better: Jest knows nothing of what module hooks compile. */
  async setup() {
    Error.prepareStackTrace = undefined
  }

  /** Gives the next test file a scope without spies, fake timers and what Jest itself has replaced for this one. */
  async teardown() {
    this.moduleMocker.restoreAllMocks()
    this.fakeTimersModern.useRealTimers()
    globalThis.console = this.#console
    process.exit = this.#exit
  }

  exportConditions() {
    return []
  }

  getVmContext() {
    return null
  }
}

module.exports = SharedModulesEnvironment
