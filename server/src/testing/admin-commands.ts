import { afterAll, beforeAll, expect } from 'vitest'
import { runAdmin } from '../admin/run-admin.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestDeps } from './deps.ts'

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

/** The commands on a database of its own for the tests of a file, and a tenant in it, which they have made. */
export function useAdminTenant() {
  const made = {} as TestDatabase & { tenantId: string }
  const commands = adminCommands(() => createTestDeps({ db: made.db }))
  beforeAll(async () => {
    Object.assign(made, await createTestDatabase())
    const tenant = await commands.json('tenants', 'create', '--name', 'Research Ltd')
    made.tenantId = tenant.tenant_id
  })
  afterAll(() => made.drop())
  return Object.assign(made, commands)
}
