import { availableParallelism, cpus, loadavg } from 'node:os'

/** What the figures were measured on; a load above 0 before the run is other people's. */
export function machine() {
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadNow: loadavg()[0],
  }
}
