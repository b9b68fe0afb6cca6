/** By the end of the message of a `StorageError`. */
const FAULTS: readonly (readonly [said: RegExp, words: string])[] = [
  [/(NotFound|NoSuchBucket) \(404\)$/, 'S3_BUCKET names no bucket that is there'],
  [/\(40[13]\)$/, 'the storage refuses the access key or its rights'],
  [/CredentialsProviderError$/, 'no access key for the bucket was found'],
  [/(?:ENOSPC|EDQUOT)$/, 'the disk of STORAGE_DIR is full'],
  [
    /^folder storage: .*(?:EACCES|EEXIST|ENOTDIR|EPERM|EROFS)$/,
    'STORAGE_DIR is no folder, or cannot be written',
  ],
]

/** What the storage says is wrong, in words for the operator; undefined where it says nothing of the kind. */
export function storageFault(message: string): string | undefined {
  return FAULTS.find(([said]) => said.test(message))?.[1]
}
