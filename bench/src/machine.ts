import { availableParallelism, cpus, loadavg } from 'node:os'

/** The machine that the figures were measured on. A load above 0 before the run comes from other programs. */
export function machine() {
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadNow: loadavg()[0],
  }
}
