import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { IS_FULL_RUN } from '../../testing/scope.ts'

const ROOT = path.join(import.meta.dirname, '../../../..')
const FILE = path.join(ROOT, 'docs/openapi.json')
/** Fetched when it is needed: installed it takes 50 MB. */
const SPECTRAL = '@stoplight/spectral-cli@6.16.3'
/** The first lint fetches it. */
const LINT_MAX = { timeout: 10 * 60_000 }

function lint(file: string): Promise<{ exitCode: number; output: string }> {
  const ruleset = path.join(ROOT, '.spectral.yaml')
  const args = ['--yes', SPECTRAL, 'lint', file, '--ruleset', ruleset, '--fail-severity', 'hint']
  return new Promise((resolve) => {
    const child = execFile('npx', args, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

test.runIf(IS_FULL_RUN)(
  'Spectral has nothing to say about the API description',
  LINT_MAX,
  async () => {
    const { exitCode, output } = await lint(FILE)
    expect([exitCode, output]).toEqual([0, output])
  },
)

test.runIf(IS_FULL_RUN)('Spectral finds an operation without a description', LINT_MAX, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'spectral-'))
  try {
    const document = JSON.parse(await readFile(FILE, 'utf8'))
    delete document.paths['/api/v1/rooms'].post.description
    const file = path.join(folder, 'openapi.json')
    await writeFile(file, JSON.stringify(document))
    const { exitCode, output } = await lint(file)
    expect(exitCode).toBe(1)
    expect(output).toContain('operation-description')
  } finally {
    await rm(folder, { recursive: true })
  }
})
