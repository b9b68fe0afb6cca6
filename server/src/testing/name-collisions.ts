import type { Document } from '../api/openapi/document.ts'

/** Prefixes that code generators add to a schema's name: constructors and nullable types, in Go. */
const OF_SCHEMAS: readonly string[] = ['New', 'Nullable']
/** Suffixes that they add to an operation's name: parameters and bodies (TypeScript, Go), answers (Go). */
const OF_OPERATIONS: readonly string[] = ['Request', 'RequestBody', 'Params', 'Response']

/** Schemas for which generated code has two types or functions of one name: each with the other origin of the name. */
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

/** Generators change the case, and file systems of a Mac ignore it. */
function fold(name: string): string {
  return name.toLowerCase()
}
