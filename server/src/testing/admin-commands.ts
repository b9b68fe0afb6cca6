import { expect } from 'vitest'
import { runAdmin } from '../admin/run-admin.ts'
import type { Deps } from '../platform/ports/deps.ts'

/** Calls of `npm run admin`, each with what `depsOf` answers at that moment. */
export function adminCommands(depsOf: () => Deps) {
  async function run(...args: string[]) {
    const deps = depsOf()
    return runAdmin(args, () => ({ deps, close: async () => {} }))
  }

  /** What a command that succeeds answers with `--json`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of any shape
  async function json(...args: string[]): Promise<any> {
    const { exitCode, stdout, stderr } = await run(...args, '--json')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  return { run, json }
}
