import { expect, test } from 'vitest'
import { networkFault } from './reasons.ts'

test.each([
  ['S3: check failed: ECONNREFUSED', 'nothing answers at S3_ENDPOINT'],
  ['S3: check failed: ENOTFOUND', 'the name in S3_ENDPOINT cannot be resolved'],
  ['could not create the media room: TimeoutError', 'no answer comes from S3_ENDPOINT'],
  [
    'S3: check failed: DEPTH_ZERO_SELF_SIGNED_CERT',
    'the certificate at S3_ENDPOINT is not trusted',
  ],
  ['S3: check failed: ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate at S3_ENDPOINT'],
  ['S3: check failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'the certificate at S3_ENDPOINT'],
])('%s is said in words', (reason, words) => {
  const said = networkFault(reason, 'S3_ENDPOINT')
  expect(said).toContain(words)
  expect(said).toContain(`(${reason})`)
})

test('has no words for an error that does not come from the network', () => {
  expect(networkFault('S3: check failed: SlowDown (503)', 'S3_ENDPOINT')).toBeUndefined()
})
