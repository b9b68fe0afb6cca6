/** The part of an API schema that Python types depend on. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: (string | number)[]
  const?: string | number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  format?: string
  description?: string
}

export type Schemas = Readonly<Record<string, Schema>>

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  array: 'list[Any]',
  object: 'dict[str, Any]',
}
const LINE_MAX = 100
const IDENTIFIER = /^[A-Za-z_]\w*$/
const KEYWORDS = new Set(['from', 'class', 'def', 'import', 'in', 'is', 'not', 'pass', 'global'])

export const schemaName = (ref: string): string => ref.split('/').at(-1) ?? ''

/** `createRoom` -> `create_room`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The name in a form that is valid for a parameter. */
export function pythonName(name: string): string {
  return KEYWORDS.has(name) ? `${name}_` : name
}

/** A type expression for an annotation. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schemaName(schema.$ref)
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (words !== undefined) return `Literal[${words.map((word) => literal(word)).join(', ')}]`
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  }
  if (schema.type === 'array' && schema.items !== undefined) return `list[${typeOf(schema.items)}]`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `dict[str, ${typeOf(schema.additionalProperties)}]`
  }
  return PLAIN[schema.type ?? ''] ?? 'Any'
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}

/** The names of all schemas that these ones refer to, directly or indirectly. */
export function reachable(schemas: Schemas, from: readonly string[]): Set<string> {
  const found = new Set<string>()
  const waiting = [...from]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    for (const [, ref = ''] of JSON.stringify(schemas[name]).matchAll(/"\$ref":"([^"]+)"/g)) {
      waiting.push(schemaName(ref))
    }
  }
  return found
}

/** The definition of a named schema. */
export function definition(name: string, schema: Schema): string {
  const { properties } = schema
  if (properties === undefined) return `${name}: TypeAlias = ${wrapped(typeOf(schema))}\n`
  const required = new Set(schema.required)
  // A member that must not be sent has no type.
  const members = Object.entries(properties).filter(([, member]) => member.not === undefined)
  const typed = members.map(([member, its]): [string, string] => {
    const type = typeOf(its)
    return [member, required.has(member) ? type : `NotRequired[${type}]`]
  })
  const isPlain = typed.every(([member]) => IDENTIFIER.test(member) && !KEYWORDS.has(member))
  if (!isPlain) {
    const entries = typed.map(([member, type]) => `        "${member}": ${JSON.stringify(type)},\n`)
    return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('')}    },\n)\n`
  }
  const lines = typed.map(([member, type]) => `    ${member}: ${type}\n`)
  return `class ${name}(TypedDict):\n${docstring(schema.description, '    ')}\n${lines.join('')}`
}

/** Aliases are quoted, so that they can refer to later definitions. */
function wrapped(type: string): string {
  if (!type.startsWith('Literal[')) return JSON.stringify(type)
  if (type.length < LINE_MAX - 30) return type
  const words = type.slice('Literal['.length, -1).split(', ')
  return `Literal[\n${words.map((word) => `    ${word},\n`).join('')}]`
}

/** Wrapped to lines of a readable length. */
export function docstring(text = '', indent: string): string {
  const lines = ['']
  for (const word of text.replaceAll('\\', '/').replaceAll('"""', "'''").split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && indent.length + line.length + word.length + 8 > LINE_MAX) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  const end = lines.length === 1 ? '"""' : `\n${indent}"""`
  return `${indent}"""${lines.join(`\n${indent}`)}${end}\n`
}
