import { expect, test } from 'vitest'
import { storageFault } from './storage-fault.ts'

test.each([
  ['S3: check failed: NotFound (404)', 'S3_BUCKET names no bucket that is there'],
  ['S3: check failed: Unknown (400)', 'S3_REGION is not the region of the bucket'],
  ['S3: check failed: Unknown (301)', 'S3_REGION is not the region of the bucket'],
  ['S3: put failed: AccessDenied (403)', 'the storage refuses the access key or its rights'],
  ['S3: check failed: CredentialsProviderError', 'no access key for the bucket was found'],
  ['folder storage: put failed: ENOSPC', 'the disk of STORAGE_DIR is full'],
  ['folder storage: check failed: EACCES', 'STORAGE_DIR is no folder, or cannot be written'],
  ['folder storage: check failed: ENOTDIR', 'STORAGE_DIR is no folder, or cannot be written'],
  ['folder storage: put failed: EROFS', 'STORAGE_DIR is no folder, or cannot be written'],
  ['S3: check failed: ECONNREFUSED', undefined],
  ['folder storage: read failed: ENOENT', undefined],
])('%s means: %s', (message, words) => {
  expect(storageFault(message)).toBe(words)
})
