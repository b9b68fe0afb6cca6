import { describe, expect, test } from 'vitest'
import { checkTarget, guardedLookup, isPublic, TargetError } from './target-guard.ts'

const REFUSED = [
  '127.0.0.1',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '0.0.0.0',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  'fe80::1',
  'fc00::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '64:ff9b::7f00:1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
]

const CLOSED = { reach: 'public', allowHttp: false } as const
const LOCAL = { reach: 'loopback', allowHttp: true } as const
const OPEN = { reach: 'any', allowHttp: true } as const

describe('a webhook target', () => {
  // contract: Webhook envelope and signature › Private targets are refused
  test.each(REFUSED)('on the address %s is not public', (address) => {
    expect(isPublic(address)).toBe(false)
  })

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111'])('on the address %s is public', (address) => {
    expect(isPublic(address)).toBe(true)
  })

  test.each(['22', '25', '1023'])('at port %s is refused with the ports that may be', (port) => {
    expect(() => checkTarget(`https://example.com:${port}/`, CLOSED)).toThrow(
      'must use port 80, 443, or one from 1024 on (allowed here: a public https address)',
    )
  })

  test.each(['80', '443', '1024'])('at port %s is allowed', (port) => {
    expect(checkTarget(`https://example.com:${port}/`, CLOSED).hostname).toBe('example.com')
  })

  test.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.1/',
    'http://127.1/',
    'http://①②⑦.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'ftp://example.com/',
    'https://user:pass@example.com/',
    'https://example.com/#x',
    'nonsense',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://hooks.localhost/',
    'https://example.com:22/',
    'https://example.com:25/',
  ])('%s is refused, however it is spelt', (url) => {
    expect(() => checkTarget(url, { ...CLOSED, allowHttp: true })).toThrow(TargetError)
  })

  test('is https on a port of a web server, or one of its own', () => {
    expect(() => checkTarget('http://example.com/x', CLOSED)).toThrow('must start with https://')
    expect(checkTarget('http://example.com/x', { ...CLOSED, allowHttp: true }).port).toBe('')
    for (const port of ['', ':443', ':8443', ':1024']) {
      expect(() => checkTarget(`https://example.com${port}/x`, CLOSED)).not.toThrow()
    }
  })

  test.each([
    [CLOSED, 'must start with https:// (allowed here: a public https address)'],
    [{ ...CLOSED, allowHttp: true }, 'allowed here: a public http or https address'],
    [LOCAL, '(allowed here: a public or loopback http or https address)'],
    [OPEN, 'must start with http:// or https:// (allowed here: any http or https address)'],
    [{ ...OPEN, allowHttp: false }, 'allowed here: any https address'],
  ])('that is refused under %j learns what is allowed', (rules, message) => {
    expect(() => checkTarget('ftp://example.com/x', rules)).toThrow(message)
  })

  // contract: Webhook envelope and signature › A local installation sends to loopback addresses, and to
  //   no other private ones
  test.each([
    'http://127.0.0.1:9000/x',
    'http://127.1:9000/x',
    'http://[::1]:9000/x',
    'http://[::ffff:127.0.0.1]:9000/x',
    'http://localhost:81/x',
    'http://hooks.localhost:9000/x',
    'https://example.com/x',
    'https://example.com:8443/x',
  ])('may be %s where loopback is allowed', (url) => {
    expect(checkTarget(url, LOCAL).pathname).toBe('/x')
  })

  test.each(
    REFUSED.filter((address) => !['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(address)),
  )('on the address %s is refused where loopback alone is allowed', (address) => {
    const host = address.includes(':') ? `[${address}]` : address
    expect(() => checkTarget(`http://${host}/`, LOCAL)).toThrow('is not public')
    expect(() => checkTarget(`http://${host}/`, OPEN)).not.toThrow()
  })

  test('on a public address keeps its rules for ports if loopback is allowed', () => {
    expect(() => checkTarget('https://example.com:22/', LOCAL)).toThrow(
      'must use port 80, 443, or one from 1024 on',
    )
  })

  test.each([
    [CLOSED, 'is not public'],
    [LOCAL, undefined],
    [OPEN, undefined],
  ])('with a name of this machine is judged under %j by its addresses', async (rules, problem) => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    guardedLookup(rules)('localhost', { all: true }, (error) => resolve(error?.message))
    expect(await promise).toBe(problem)
  })

  test('may be private if the operator allows it', () => {
    expect(checkTarget('http://127.0.0.1:9/x', OPEN).port).toBe('9')
    expect(checkTarget('https://example.com/x', CLOSED).hostname).toBe('example.com')
  })
})
