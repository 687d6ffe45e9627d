// Loaded into a service with --import: collects garbage when it is told to, so that what is measured is what is held.
process.on('SIGUSR2', () => globalThis.gc?.());
