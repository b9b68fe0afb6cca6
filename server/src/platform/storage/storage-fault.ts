/** Faults by the end of a `StorageError` message. */
const FAULTS: readonly (readonly [said: RegExp, words: string])[] = [
  [/(NotFound|NoSuchBucket) \(404\)$/, 'S3_BUCKET names no bucket that is there'],
  // The answer to HEAD has no words.
  [/check failed: .*\((?:301|400)\)$/, 'S3_REGION is not the region of the bucket'],
  [/\(40[13]\)$/, 'the storage refuses the access key or its rights'],
  [/CredentialsProviderError$/, 'no access key for the bucket was found'],
  [/(?:ENOSPC|EDQUOT)$/, 'the disk of STORAGE_DIR is full'],
  [
    /^folder storage: .*(?:EACCES|EEXIST|ENOTDIR|EPERM|EROFS)$/,
    'STORAGE_DIR is no folder, or cannot be written',
  ],
]

/** The storage's own complaint, in words for the operator; undefined if the message has none that we know. */
export function storageFault(message: string): string | undefined {
  return FAULTS.find(([said]) => said.test(message))?.[1]
}
