import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Description, pythonClient } from './python-client.ts'
import { snakeCase } from './python-types.ts'

const FILE = path.resolve(import.meta.dirname, '../../../docs/openapi.json')
const API: Description = JSON.parse(readFileSync(FILE, 'utf8'))
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0

describe('the Python client made of the API description', () => {
  const module = pythonClient(API)

  test('has a method for each operation that an API key may call, and no other', () => {
    const operations = Object.values(API.paths).flatMap((methods) => Object.values(methods))
    const called = operations.filter(({ security }) =>
      security.some((each) => 'apiKeyAuth' in each),
    )
    const methods = [...module.matchAll(/^ {4}def (\w+)/gm)].map(([, name]) => name ?? '')
    expect(methods.filter((name) => !name.startsWith('iter_')).toSorted()).toEqual(
      called.map(({ operationId }) => snakeCase(operationId)).toSorted(),
    )
    expect(called.length).toBeGreaterThan(50)
  })

  test('takes the body, the filters and an idempotency key of an operation', () => {
    expect(module).toContain(
      'def create_room(self, body: RoomRequest, *, idempotency_key: str | None = None) -> Room:',
    )
    expect(module).toContain(
      'result: Room = self.call("GET", f\'/rooms/{quote(room_id, safe="")}\')',
    )
    expect(module).toMatch(/def iter_rooms\([^)]*from_: str,[^)]*\) -> Iterator\[RoomOverview\]:/)
  })

  test('defines every type that it names', () => {
    const names = module.matchAll(/(?<=-> |body: |NotRequired\[)[A-Z]\w+(?=[:\]\n,])/g)
    const missing = [...new Set([...names].map(([name]) => name))].filter(
      (name) =>
        !new RegExp(`^(class )?${name}\\b`, 'm').test(module) && !['Any', 'None'].includes(name),
    )
    expect(missing).toEqual([])
  })

  test.runIf(HAS_PYTHON)('is valid Python', () => {
    const program = 'import ast, sys; print(len(ast.parse(sys.stdin.read()).body))'
    const printed = execFileSync('python3', ['-c', program], { input: module, encoding: 'utf8' })
    expect(Number(printed)).toBeGreaterThan(100)
  })
})
