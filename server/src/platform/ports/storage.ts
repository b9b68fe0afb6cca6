import type { Readable } from 'node:stream'

/** An object's size and version in the storage. */
export interface StoredObject {
  sizeBytes: number
  /** Changes with the content. Opaque, and only comparable within one storage. */
  etag: string
}

export interface SignedUrl {
  url: string
  /** The real end, which may be sooner than requested. */
  expiresAt: Date
}

export interface SignedGet {
  /** Whole seconds from 1. The storage may cut this (S3: to seven days). */
  expiresInSec: number
  /** The name under which a browser saves the file. */
  fileName: string
  /** `inline` is shown only if the media type is harmless. */
  disposition: 'inline' | 'attachment'
  mime: string
}

export interface SignedPut {
  /** As with `SignedGet`. */
  expiresInSec: number
  /**
   * More is refused by the folder. S3 signs no bound for a PUT, so that the code which takes the object
   * over must check its size.
   */
  maxBytes: number
}

/**
 * The place where another program on this machine reads an object. An address is a secret for as long as it holds: it goes into no
 * log and no row.
 */
export type ObjectLocation = { kind: 'path'; path: string } | { kind: 'url'; url: string }

/** The place where a LiveKit egress writes an object. Its keys go to the provider and nowhere else: no log, no row. */
export type EgressOutput =
  | { kind: 'file'; path: string }
  | {
      kind: 's3'
      bucket: string
      key: string
      region: string
      endpoint: string | undefined
      forcePathStyle: boolean
      accessKeyId: string
      secretAccessKey: string
      sessionToken: string | undefined
    }

export interface ListedObject {
  key: string
  storedAt: Date
}

/** An object and its size. */
export interface SizedObject {
  key: string
  sizeBytes: number
}

export interface ObjectPage {
  objects: readonly ListedObject[]
  /** The position to continue from; undefined at the end. */
  next: string | undefined
}

export interface NewObject {
  mime: string
  /** The expected size, if it is known; needed above 48 GiB. */
  expectedBytes?: number
}

interface WaitOptions {
  /** A request waits for this: a storage that is silent for 5 s has failed. */
  isAwaited?: boolean
}

/**
 * The object storage: private, reached from outside by signed URLs only. Keys are made by us and
 * hold no text of anybody (`object-key.ts`). Every call over a network has a timeout, and
 * all throw `StorageError` when the storage cannot be reached or refuses.
 */
export interface Storage {
  /**
   * Stores a stream as it comes, and replaces an existing object. A stream that breaks leaves no new object, and its own error is
   * thrown. The stream is used up or destroyed in any case.
   */
  put(key: string, body: Readable, options: NewObject & WaitOptions): Promise<{ sizeBytes: number }>
  /** The bytes of an object; throws `StorageError` when there is none. */
  read(key: string, options?: WaitOptions): Promise<Readable>
  /** Undefined when there is no such object; an unknown answer is an error. */
  head(key: string): Promise<StoredObject | undefined>
  /**
   * Copies within the storage, but only the content with this etag; undefined if it is gone or has changed. Its reported size
   * decides how long that may take. For objects uploaded by `signPut`: S3 refuses to copy objects above 5 GiB in one call, as it
   * refuses to take them by one PUT.
   */
  copy(
    from: string,
    to: string,
    options: { etag: string; sizeBytes: number },
  ): Promise<StoredObject | undefined>
  /** Deletes objects. Missing ones count as deleted. */
  delete(keys: readonly string[]): Promise<void>
  signGet(key: string, options: SignedGet): Promise<SignedUrl>
  /** For a single PUT. Until it expires it may be used again: take the content over by `copy`. */
  signPut(key: string, options: SignedPut): Promise<SignedUrl>
  /** For programs of our own that seek in an object. An address holds for `forSec` at most. */
  locate(key: string, options: { forSec: number }): Promise<ObjectLocation>
  /** Makes whatever must be there before an egress can write. */
  egressOutput(key: string): Promise<EgressOutput>
  /**
   * A page of the existing objects, in the storage's own order. Keys that are not ours are left out. Objects that come or go
   * meanwhile may be missing.
   */
  list(after?: string): Promise<ObjectPage>
  /** Every object whose key has this prefix, in the order of their keys. */
  listWithPrefix(prefix: string): Promise<readonly SizedObject[]>
  /** Resolves when objects can be stored. For readiness. */
  check(): Promise<void>
}

/** Its message names the operation and the failure; never a key, a secret or the storage's own text. */
export class StorageError extends Error {
  override name = 'StorageError'
}
