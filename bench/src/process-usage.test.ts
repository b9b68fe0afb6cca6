import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { cpuSecOf, cpuSecOfTree } from './process-usage.ts'

/**
 * Uses the CPU for a tenth of a second, starts a child that does the same and ends, reports that, and keeps running.
 */
const WORK = 'do for (i = 0; i < 1e6; i++); while (process.cpuUsage().user < 1e5)'
const PARENT = `
  ${WORK}
  require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(WORK)}])
  console.log('done')
  process.stdin.resume()
`

test('the CPU of a tree includes the process, its children, and ended children', async () => {
  const shell = spawn('sh', ['-c', '"$0" -e "$1"; true', process.execPath, PARENT])
  try {
    await once(createInterface({ input: shell.stdout }), 'line')
    const { pid = 0 } = shell
    expect(cpuSecOf(pid)).toBeLessThan(0.1)
    expect(cpuSecOfTree(pid)).toBeGreaterThan(0.18)
  } finally {
    shell.stdin.end()
    await once(shell, 'close')
  }
})
