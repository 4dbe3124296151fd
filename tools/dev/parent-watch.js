// Loaded into every process the launcher starts (node --import). When the launcher is gone, however it ended, its IPC
// channel closes; the process then drains and ends as if it had been told to, so that nothing is left behind.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
