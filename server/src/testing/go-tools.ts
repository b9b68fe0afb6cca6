import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** Built programs are cached, because some take minutes. */
const FOLDER = path.resolve(import.meta.dirname, '../../../node_modules/.cache/go-tools')
const BUILD_MS = 30 * 60_000

const run = promisify(execFile)

/** True if a Go toolchain is installed. Without one, tests that need its programs are skipped. */
export const HAS_GO = (() => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Builds a program of a Go module; returns the path of the executable. */
export async function buildGoTool(program: string, version: string): Promise<string> {
  const name = program.split('/').at(-1) ?? program
  return buildGo(`${name}-${version}`, async (folder) => {
    await runGo(['get', `${program}@${version}`], folder)
    return program
  })
}

/** Runs a Go command in the folder of a module. */
export async function runGo(args: readonly string[], cwd: string): Promise<void> {
  await run('go', [...args], { cwd, timeout: BUILD_MS, maxBuffer: 64 * 1024 * 1024 })
}

/** Builds the package that `prepare` adds to a new module, or names; returns the executable. */
export async function buildGo(
  name: string,
  prepare: (folder: string) => Promise<string>,
): Promise<string> {
  const executable = path.join(FOLDER, name)
  if (existsSync(executable)) return executable
  const folder = path.join(FOLDER, `${name}.module`)
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'go.mod'), 'module tools\n\ngo 1.24\n')
  const target = await prepare(folder)
  const half = `${executable}.half`
  await runGo(['build', '-o', half, target], folder)
  await rename(half, executable)
  return executable
}

/** The output of a program, with warnings after the rest, and its exit code. */
export async function runTool(
  program: string,
  args: readonly string[],
): Promise<{ exitCode: number; output: string; stdout: string }> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (_e, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr, stdout }),
    )
  })
}
