import { afterAll, beforeAll, expect } from 'vitest'
import { runAdmin } from '../admin/run-admin.ts'
import type { Deps } from '../platform/ports/deps.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { createTestDeps } from './deps.ts'

/** Runs `npm run admin`, each time with the current result of `depsOf`. */
export function adminCommands(depsOf: () => Deps) {
  async function run(...args: string[]) {
    const deps = depsOf()
    return runAdmin(args, () => ({ deps, close: async () => {} }))
  }

  /** The answer of a command that succeeds with `--json`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of any shape
  async function json(...args: string[]): Promise<any> {
    const { exitCode, stdout, stderr } = await run(...args, '--json')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  return { run, json }
}

/** The admin commands on a separate database for the tests of a file, with a tenant that they have created. */
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
