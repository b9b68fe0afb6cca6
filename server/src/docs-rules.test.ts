import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { docsProblems, readRepository } from '../../scripts/docs-rules.ts'

const PATHS = [
  'README.md',
  'docs',
  'docs/README.md',
  'docs/api.md',
  'docs/pictures',
  'docs/pictures/room.png',
  'server',
  'server/src',
  'server/src/domain',
  'server/src/domain/chat',
  'server/src/domain/chat/send-message.ts',
]

/** Problems of a small repository whose pages are correct except for the given ones. */
function problemsOf(pages: Record<string, string>): string[] {
  const written = {
    'README.md': '# Start\n\nSee [the index](docs/README.md).\n',
    'docs/README.md': '# Documentation\n\n- [API](api.md)\n',
    'docs/api.md': '# API\n\n## Rate limits\n\n## Rate limits\n',
    ...pages,
  }
  const repository = { paths: new Set(PATHS), scripts: new Set(['start', 'test:long']) }
  return docsProblems(new Map(Object.entries(written)), repository)
}

const page = (...lines: string[]) => ({ 'docs/api.md': lines.join('\n') })
const rows = (cell: string) => `| A | B |\n| - | - |\n| ${cell} | b |`

describe('the rules for the documentation', () => {
  test.each([
    ['a relative link', '[start](../README.md) and [the server](../server/src/)'],
    [
      'an anchor of another page and of the same one',
      '# Own `part`\n\n[a](../README.md#start) [b](#own-part)',
    ],
    ['the second of two equal headings', '## Limits\n\n## Limits\n\n[second](#limits-1)'],
    ['a link to another site', '[LiveKit](https://livekit.io)'],
    ['a picture', '![room](pictures/room.png) <img src="pictures/room.png" alt="">'],
    [
      'a path from the root, and one below server/src',
      '`server/src/domain/chat/` `domain/chat/send-message.ts`',
    ],
    ['a file by its name alone', '`send-message.ts`'],
    ['a placeholder or pattern in a path', '`server/src/<thing>.ts` `server/src/*.test.ts`'],
    ['an address or a media type', '`/rooms/{room_id}` `application/json` `POST /rooms`'],
    ['a script, with arguments', 'Run `npm run test:long -- e2e`.'],
    ['a long line of code', `\`\`\`sh\n${'x'.repeat(300)}\n\`\`\``],
    ['a cell of 200 characters', rows('x'.repeat(200))],
  ])('accept %s', (_what, text) => {
    expect(problemsOf(page(text))).toEqual([])
  })

  test.each([
    ['a link to a missing file', '[x](limits.md)', 'links to limits.md: no such file'],
    [
      'a link to a missing heading',
      '[x](README.md#limits)',
      'links to README.md#limits: no such heading',
    ],
    ['a link to a missing heading of its own', '[x](#limits)', 'links to #limits: no such heading'],
    [
      'a missing picture',
      '<img src="pictures/lobby.webp" alt="">',
      'links to pictures/lobby.webp: no such file',
    ],
    [
      'a path that does not exist',
      '`server/src/domain/rooms/`',
      'names server/src/domain/rooms/: no such file',
    ],
    [
      'a file that does not exist',
      '`domain/chat/purge.ts`',
      'names domain/chat/purge.ts: no such file',
    ],
    ['a file name that no file has', '`purge.ts`', 'names purge.ts: no file has this name'],
    ['a script that does not exist', '```sh\nnpm run deploy\n```', 'runs deploy: no such script'],
    ['a line over 160 characters', 'x'.repeat(161), 'has 161 characters, over 160'],
    [
      'a table cell over 200 characters',
      rows('x'.repeat(201)),
      'has a table cell of 201 characters, over 200',
    ],
  ])('refuse %s', (_what, text, problem) => {
    const problems = problemsOf(page(text))
    expect(problems).toEqual([expect.stringMatching(/^docs\/api\.md:\d+ /)])
    expect(problems[0]).toContain(problem)
  })

  test('pass over the page that `npm run coverage-page` writes', () => {
    expect(problemsOf({ 'docs/contract-coverage.md': rows('x'.repeat(201)) })).toEqual([])
  })

  test('refuse a page that the index does not list', () => {
    expect(problemsOf({ 'docs/limits.md': '# Limits\n' })).toEqual([
      'docs/README.md does not list docs/limits.md',
    ])
  })
})

test('the documentation keeps the rules', () => {
  const { pages, repository } = readRepository(path.resolve(import.meta.dirname, '../..'))
  expect(pages.size).toBeGreaterThan(30)
  expect(docsProblems(pages, repository)).toEqual([])
})
