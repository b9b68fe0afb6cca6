import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TEST_ENVIRONMENT } from '../../testing/deps.ts'
import { loadConfig } from '../config/config.ts'
import { askCheck, type Check, fail, runChecks, warn } from './check.ts'
import { MACHINE_CHECKS } from './service-checks.ts'

test('an ffmpeg that hangs is found, and does not pass for one that works', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-room-doctor-'))
  const program = path.join(folder, 'ffmpeg')
  writeFileSync(program, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  const config = loadConfig({ ...TEST_ENVIRONMENT, FFMPEG_PATH: program })
  const findings = await runChecks(MACHINE_CHECKS, { config }, 200)
  rmSync(folder, { recursive: true })
  expect(findings.find(({ check }) => check === 'ffmpeg:program')).toMatchObject({
    result: 'fail',
    detail: 'gave no answer in time',
  })
})

const RIGHT: Check<unknown> = {
  name: 'a:right',
  ask: async () => undefined,
  passes: 'all is right',
  when: {},
}
const UNANSWERED: Check<unknown> = {
  ...RIGHT,
  name: 'a:broken',
  ask: () => Promise.reject(new Error('no way')),
}

test('answers with the words of a check that passes, without advice', async () => {
  expect(await askCheck(RIGHT, {}, 1_000)).toEqual({
    isAnswered: true,
    found: { check: 'a:right', result: 'ok', detail: 'all is right' },
  })
})

test("names the error of a check without an answer, or its own words for it, and the runbook's section", async () => {
  expect(await askCheck(UNANSWERED, {}, 1_000)).toEqual({
    isAnswered: false,
    found: {
      check: 'a:broken',
      result: 'fail',
      detail: 'no way',
      mend: 'See docs/runbook.md#abroken.',
    },
  })
  const when = { unanswered: () => warn('It is away.') }
  expect((await askCheck({ ...UNANSWERED, when }, {}, 1_000)).found).toMatchObject({
    result: 'warn',
    detail: 'It is away.',
  })
})

test('asks a check only after those it needs have passed, and skips it otherwise', async () => {
  const asked: string[] = []
  const slow: Check<unknown> = {
    ...RIGHT,
    name: 'a:slow',
    async ask() {
      await new Promise(setImmediate)
      asked.push('slow')
      return warn('to look at', 'Look at it.')
    },
  }
  const second: Check<unknown> = {
    ...RIGHT,
    name: 'a:second',
    when: { needs: ['a:slow'] },
    async ask() {
      asked.push('second')
      return fail('wrong', 'Mend it.')
    },
  }
  const third: Check<unknown> = { ...RIGHT, name: 'a:third', when: { needs: ['a:second'] } }
  const fourth: Check<unknown> = { ...RIGHT, name: 'a:fourth', when: { needs: ['a:third'] } }
  const found = await runChecks([slow, second, third, fourth], {}, 1_000)
  expect(asked).toEqual(['slow', 'second'])
  expect(found.slice(2)).toEqual([
    { check: 'a:third', result: 'skipped', detail: 'needs a:second' },
    { check: 'a:fourth', result: 'skipped', detail: 'needs a:third' },
  ])
})

test("is a failure to the doctor where it is readiness's warning", async () => {
  const warning: Check<unknown> = { ...RIGHT, ask: async () => warn('Look.', 'Mend.') }
  const results = async (when: NonNullable<Check<unknown>['when']>) =>
    (await runChecks([{ ...warning, when }], {}, 1_000)).map(({ result }) => result)
  expect(await results({ readiness: 'minute' })).toEqual(['fail'])
  expect(await results({})).toEqual(['warn'])
})
