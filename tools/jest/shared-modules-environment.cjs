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

  /** Removes what Jest has set for mapping stacks to the sources. Node does it (`--enable-source-maps`), and Jest does not know what module hooks compile. */
  async setup() {
    Error.prepareStackTrace = undefined
  }

  /** Takes back the spies and fake timers of this test file, and what Jest itself has replaced for it. */
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
