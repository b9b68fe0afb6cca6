import type { Document } from '../api/openapi/document.ts'

/** What generators of code name after a schema: constructors and nullable types, in Go. */
const OF_SCHEMAS: readonly string[] = ['New', 'Nullable']
/** What they name after an operation: parameters and bodies (TypeScript, Go), answers (Go). */
const OF_OPERATIONS: readonly string[] = ['Request', 'RequestBody', 'Params', 'Response']

/** Schemas for which generated code has two types or functions of one name: which, and of what else. */
export function nameCollisions({ components, paths }: Document): string[] {
  const names = Object.keys(components['schemas'] ?? {})
  const taken = new Map<string, string>()
  for (const scheme of Object.keys(components.securitySchemes ?? {})) {
    taken.set(fold(scheme), `the security scheme ${scheme}`)
  }
  for (const name of names) {
    for (const prefix of OF_SCHEMAS) taken.set(fold(prefix + name), `what is made of ${name}`)
  }
  for (const { operationId } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const suffix of OF_OPERATIONS) {
      taken.set(fold(`${operationId}${suffix}`), `what is made of ${operationId}`)
    }
  }
  return names.flatMap((name) => {
    const other = taken.get(fold(name))
    taken.set(fold(name), name)
    return other === undefined ? [] : [`${name}: named as ${other}`]
  })
}

/** Generators change the case, and files of a Mac ignore it. */
function fold(name: string): string {
  return name.toLowerCase()
}
