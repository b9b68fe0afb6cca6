import type { Readable } from 'node:stream'

/** What the storage knows of an object. */
export interface StoredObject {
  sizeBytes: number
  /** Changes with the content. Opaque, and only comparable within one storage. */
  etag: string
}

export interface SignedUrl {
  url: string
  /** When it really ends, which may be sooner than asked for. */
  expiresAt: Date
}

export interface SignedGet {
  /** Whole seconds from 1; what the storage cannot sign for so long is cut (S3: seven days). */
  expiresInSec: number
  /** What a browser calls the file when it saves it. */
  fileName: string
  /** Shown in place only where the media type is harmless. */
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
 * Where another program on this machine reads an object. An address is a secret for as long as it
 * holds: it goes into no log and no row.
 */
export type ObjectLocation = { kind: 'path'; path: string } | { kind: 'url'; url: string }

/**
 * Where a LiveKit egress writes an object. Its keys go to the provider and nowhere else: no log, no
 * row.
 */
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
  /** Continues from here; undefined at the end. */
  next: string | undefined
}

export interface NewObject {
  mime: string
  /** About as many as will come, where that is known; needed above 48 GiB. */
  expectedBytes?: number
}

interface WaitOptions {
  /** Somebody waits for the answer of a request: a storage that is silent for 5 s has failed. */
  isAwaited?: boolean
}

/**
 * The object storage: private, reached from outside by signed URLs only. Keys are made by us and
 * hold no text of anybody (`object-key.ts`). Every call over a network has a timeout, and
 * all throw `StorageError` when the storage cannot be reached or refuses.
 */
export interface Storage {
  /**
   * Stores a stream as it comes, in place of what was there. A stream that breaks leaves no new
   * object, and its own error is thrown. The stream is used up or destroyed in any case.
   */
  put(key: string, body: Readable, options: NewObject & WaitOptions): Promise<{ sizeBytes: number }>
  /** The bytes of an object; throws `StorageError` when there is none. */
  read(key: string, options?: WaitOptions): Promise<Readable>
  /** Undefined when there is no such object; an unknown answer is an error. */
  head(key: string): Promise<StoredObject | undefined>
  /**
   * Copies within the storage, and only the content with this etag; undefined when it is gone or
   * another. Its size, as reported, decides how long that may take. For what came by `signPut`: S3 refuses to copy
   * objects above 5 GiB in one call, as it refuses to take them by one PUT.
   */
  copy(
    from: string,
    to: string,
    options: { etag: string; sizeBytes: number },
  ): Promise<StoredObject | undefined>
  /** What is gone already is done. */
  delete(keys: readonly string[]): Promise<void>
  signGet(key: string, options: SignedGet): Promise<SignedUrl>
  /** For a single PUT. Until it expires it may be used again: take the content over by `copy`. */
  signPut(key: string, options: SignedPut): Promise<SignedUrl>
  /** For programs of our own that seek in an object. An address holds for `forSec` at most. */
  locate(key: string, options: { forSec: number }): Promise<ObjectLocation>
  /** Makes whatever must be there before an egress can write. */
  egressOutput(key: string): Promise<EgressOutput>
  /**
   * Some of the objects that are there, in an order of the storage's own; what is not named as we
   * name objects is left out. Objects that come or go meanwhile may be missing.
   */
  list(after?: string): Promise<ObjectPage>
  /** Every object whose key begins so, in the order of their keys: what belongs to one object, by its name. */
  listWithPrefix(prefix: string): Promise<readonly SizedObject[]>
  /** Answers when objects can be stored. For readiness. */
  check(): Promise<void>
}

/** Says what failed and how; never a key, a secret or what the storage wrote. */
export class StorageError extends Error {
  override name = 'StorageError'
}
