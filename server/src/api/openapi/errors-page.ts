import { DETAIL_GUIDE, ERROR_GUIDE } from '@interview-room/contract/error-guide.ts'
import { ERRORS, type ErrorCode } from '@interview-room/contract/errors.ts'

/** The page that explains the errors. Each code is an anchor. */
export const ERRORS_PAGE = '/docs/errors'

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** Explains every error code, and what to do about it, as Markdown. */
export function errorsMarkdown(): string {
  return `# Errors

Every error is \`{"success": false, "error": {"code", "message", "details"?}}\`. Act on \`code\` and on the codes in \`details\`. Messages are for people and may change.

400 means that the request does not match the API description. 409 means that it conflicts with the current state. 422 means that it breaks a rule. Retry 429, 502 and 503, and 409 \`IDEMPOTENCY_KEY_IN_USE\`, after the time in \`Retry-After\` where there is one. Quote \`X-Request-Id\` when you ask for support.

${CODES.map((code) => `- ${ERRORS[code].status} [${code}](#${code})`).join('\n')}
- [Codes in details](#codes-in-details)

${CODES.map(sectionOf).join('\n\n')}

## Codes in details

\`details\` lists up to 50 fields, each as \`{field, code, message}\`. \`field\` is a dotted path, such as \`session.ends_at\`.

${Object.entries(DETAIL_GUIDE)
  .map(([code, text]) => `- \`${code}\`: ${text}`)
  .join('\n')}
`
}

function sectionOf(code: ErrorCode): string {
  const { status, message } = ERRORS[code]
  const { meaning, causes, remedy } = ERROR_GUIDE[code]
  return `## ${code}

Status ${status}. ${meaning}

### Message

${message}

### Likely causes

${causes.map((cause) => `- ${cause}`).join('\n')}

### What to do

${remedy}`
}
