// Loaded into every process the launcher starts (node --import). When the launcher ends, for whatever reason, its IPC
// channel closes. The process then shuts down as on SIGTERM, so that none is left running.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
