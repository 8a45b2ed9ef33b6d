// Preloaded into the apps that `npm start` runs: they stop when the process that started them is gone.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
