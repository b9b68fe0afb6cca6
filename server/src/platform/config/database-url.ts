import type { EnvironmentReader } from '../lib/environment.ts'

const NAME = 'DATABASE_URL'

/**
 * Special characters of a password end the host or the path early, if they are not encoded: then there is no address, or
 * one of another machine, for which a start would wait forever.
 */
export function readDatabaseUrl(read: EnvironmentReader): string {
  const value = read.text(NAME, { fallback: '' })
  if (namesSeveralHosts(value)) {
    read.problems.push(
      `${NAME} must name one host: a name, an address or a proxy that leads to the primary after a failover`,
    )
    return ''
  }
  const hasScheme = /^postgres(?:ql)?:\/\//.test(value)
  if (!hasScheme || isPlain(value)) return read.url(NAME, { schemes: ['postgres', 'postgresql'] })
  // Without the value, which holds the password.
  read.problems.push(
    `${NAME} must percent-encode special characters of user and password, such as %23 for # and %2F for /`,
  )
  return ''
}

function namesSeveralHosts(value: string): boolean {
  const [authority = ''] = value.replace(/^\w+:\/\//, '').split(/[/?#]/)
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',')
}

function isPlain(value: string): boolean {
  if (value.includes('#') || !URL.canParse(value)) return false
  return !new URL(value).pathname.includes('@')
}
