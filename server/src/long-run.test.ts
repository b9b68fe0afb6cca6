import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LONG_RUN, LONG_SETTINGS } from '../../scripts/suites.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const SETTINGS = Object.keys(LONG_SETTINGS).filter((name) => name !== 'TEST_SCOPE')
/** Settings that a test with a longer form reads. */
const LONGER = new RegExp(`\\b(?:IS_FULL_RUN|${SETTINGS.join('|')})\\b`)

/** The suite's files are those of the folder of its configuration. */
function isInLongRun(file: string): boolean {
  return LONG_RUN.some(({ suite, files }) => {
    const isOfSuite = file.startsWith(`${path.dirname(suite.config)}/`)
    return isOfSuite && (files.length === 0 || files.some((part) => file.includes(part)))
  })
}

test('every test that has a longer form is in the long run', () => {
  const longer = globSync('*/{src,test}/**/*.test.ts', { cwd: ROOT })
    .filter((file) => file !== 'server/src/long-run.test.ts')
    .filter((file) => LONGER.test(readFileSync(path.join(ROOT, file), 'utf8')))
  expect(longer.length).toBeGreaterThan(20)
  expect(longer.filter((file) => !isInLongRun(file))).toEqual([])
})
