import { TAGS } from '@interview-room/contract/operations/tags.ts'
import type { Document } from './document.ts'

/** The reference for programs that read Markdown: every operation in one line, by its tag. */
export function referenceMarkdown({ paths }: Pick<Document, 'paths'>): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags = [], summary = '' }]) => ({
      tags,
      line: `- \`${method.toUpperCase()} ${path}\`: ${summary}`,
    })),
  )
  const sections = Object.entries(TAGS).map(([tag, description]) => {
    const lines = operations.filter(({ tags }) => tags.includes(tag)).map(({ line }) => line)
    return `## ${tag}\n\n${description}\n\n${lines.join('\n')}`
  })
  return `# API reference

Every operation. The [API description](/api/v1/openapi.json) (OpenAPI 3.1) has their parameters, bodies, answers and examples.

${sections.join('\n\n')}
`
}
