import type { Readable } from 'node:stream'

/** What the storage knows of an object. */
export interface StoredObject {
  sizeBytes: number
  /** Changes with the content. */
  etag: string
}

export interface SignedUrl {
  url: string
  expiresAt: Date
}

export interface SignedGet {
  expiresInSec: number
  /** What a browser calls the file when it saves it. */
  fileName: string
  /** Shown in place only where the media type is harmless. */
  disposition: 'inline' | 'attachment'
  mime: string
}

export interface SignedPut {
  expiresInSec: number
  maxBytes: number
}

/**
 * The object storage: private, reached from outside by signed URLs only. Keys are made by us and
 * hold no text of anybody: `<tenant>/<kind>/<uuid>`. Every call has a timeout and throws
 * `StorageError` when the storage cannot be reached or refuses.
 */
export interface Storage {
  /** Stores a stream as it comes; a stream that breaks leaves no object. */
  put(key: string, body: Readable, options: { mime: string }): Promise<{ sizeBytes: number }>
  /** The bytes of an object; throws `StorageError` when there is none. */
  read(key: string): Promise<Readable>
  /** Undefined when there is no such object; that it cannot be told is an error. */
  head(key: string): Promise<StoredObject | undefined>
  /** Copies within the storage, and only the content with this etag; undefined when it is gone or another. */
  copy(from: string, to: string, options: { etag: string }): Promise<StoredObject | undefined>
  /** What is gone already is done. */
  delete(keys: readonly string[]): Promise<void>
  signGet(key: string, options: SignedGet): Promise<SignedUrl>
  /** For a single PUT. */
  signPut(key: string, options: SignedPut): Promise<SignedUrl>
  /** Answers when objects can be stored. For readiness. */
  check(): Promise<void>
}

export class StorageError extends Error {
  override name = 'StorageError'
}
