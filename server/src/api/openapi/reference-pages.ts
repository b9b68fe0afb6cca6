import { TAGS } from '@interview-room/contract/operations/tags.ts'
import type { Document, OperationObject } from './document.ts'
import { objectsIn, schemaText, typeOf, usedBy } from './schema-markdown.ts'

/** Address of the reference, below `/docs/`. */
export const REFERENCE = 'reference'

/** The pages of the reference, by their address below `/docs/`: one for each tag, and one for the webhooks. */
export const REFERENCE_TITLES: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.keys(TAGS), 'Webhook events'].map((tag) => [slugOf(tag), spaced(tag)]),
)

/** `EntryHistory` -> `reference/entry-history`. */
function slugOf(tag: string): string {
  return `${REFERENCE}/${spaced(tag).toLowerCase().replaceAll(' ', '-')}`
}

function spaced(tag: string): string {
  const words = tag.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Listed extends OperationObject {
  /** `POST /api/v1/rooms`; absent for a webhook. */
  address?: string
}

/** Every operation in one line, by its tag. */
export function referenceContents({ paths }: Document): string {
  const sections = Object.entries(TAGS).map(([tag, description]) => {
    const lines = operationsOf(paths, tag).map(
      ({ address, summary }) => `- \`${address}\`: ${summary}`,
    )
    return `## [${spaced(tag)}](/docs/${slugOf(tag)}.md)\n\n${description}\n\n${lines.join('\n')}`
  })
  return `# API reference

Every operation. The [API description](/api/v1/openapi.json) (OpenAPI 3.1) has the same for programs.

${sections.join('\n\n')}

## [Webhook events](/docs/${slugOf('Webhook events')}.md)

What the service sends to your endpoints.
`
}

/** The pages as Markdown, by their address below `/docs/`. */
export function referencePages(document: Document): Record<string, string> {
  const pages = Object.entries(TAGS).map(([tag, description]) =>
    pageOf(document, tag, { description, operations: operationsOf(document.paths, tag) }),
  )
  const hooks = Object.values(document.webhooks).flatMap((methods) => Object.values(methods))
  const description = 'What the service sends to your endpoints.'
  return Object.fromEntries([
    ...pages,
    pageOf(document, 'Webhook events', { description, operations: hooks as Listed[] }),
  ])
}

function operationsOf(paths: Document['paths'], tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags = [] }]) => tags.includes(tag))
      .map(([method, operation]) => ({ ...operation, address: `${method.toUpperCase()} ${path}` })),
  )
}

function pageOf(
  document: Document,
  tag: string,
  { description, operations }: { description: string; operations: readonly Listed[] },
): [slug: string, markdown: string] {
  const sections = operations.map((operation) => operationText(document, operation))
  const used = operations.flatMap((operation) => schemasOf(document, operation))
  const objects = objectsIn(document, used).map(
    ([name, schema]) => `### ${name}\n\n${schemaText(document, schema)}`,
  )
  const list = objects.length === 0 ? [] : ['## Objects', ...objects]
  return [slugOf(tag), [`# ${spaced(tag)}`, description, ...sections, ...list, ''].join('\n\n')]
}

/** The schemas of the body and of the answers of a success. */
function schemasOf(document: Document, { requestBody, responses }: Listed): unknown[] {
  const answers = successes(responses).flatMap(([, { content }]) => Object.values(content ?? {}))
  const bodies = Object.values(requestBody?.content ?? {})
  return [...bodies, ...answers].map(({ schema }) => usedBy(document, schema))
}

const successes = (responses: OperationObject['responses']) =>
  Object.entries(responses).filter(([status]) => /^2\d\d$/.test(status))

function operationText(document: Document, operation: Listed): string {
  const { address, summary = '', description = '', requestBody, responses } = operation
  const answers = successes(responses).map(([status, answer]) =>
    contentText(document, `Answer ${status}`, answer.content),
  )
  const parts = [
    `## ${summary}`,
    ...(address === undefined ? [] : [`\`${address}\``]),
    description,
    parametersText(document, operation.parameters),
    ...(requestBody === undefined ? [] : [contentText(document, 'Body', requestBody.content)]),
    ...answers,
    refusalsText(responses),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function parametersText(document: Document, given: OperationObject['parameters'] = []): string {
  const rows = given.map((each) => {
    const parameter = '$ref' in each ? document.components['parameters']?.[nameIn(each.$ref)] : each
    const { name, in: place, required, description, schema } = parameter as Described
    const need = required === true ? 'required' : 'optional'
    return `| \`${name}\` | ${place}, ${need} | ${typeOf(document, schema)} | ${cell(description)} |`
  })
  if (rows.length === 0) return ''
  return ['| Parameter | In | Type | Description |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}

interface Described {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: unknown
}

function contentText(
  document: Document,
  title: string,
  content: OperationObject['responses'][string]['content'] = {},
): string {
  const [[mediaType, { schema, example }] = [undefined, {}]] = Object.entries(content)
  if (mediaType === undefined) return `**${title}:** no body.`
  const type = typeOf(document, usedBy(document, schema))
  const head = `**${title}** (\`${mediaType}\`): ${type}`
  if (example === undefined) return head
  return `${head}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
}

/** The refusals with a code, each with a link to its explanation. */
function refusalsText(responses: OperationObject['responses']): string {
  const codes = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.values(content ?? {})
      .flatMap(({ examples = {} }) => Object.keys(examples))
      .map((code) => `${status} [${code}](/docs/errors.md#${code})`),
  )
  return codes.length === 0 ? '' : `**Errors:** ${codes.join(', ')}`
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
const cell = (text = '') => text.replaceAll('|', '\\|').replaceAll(/\s*\n+(?:- )?/g, ' ')
