import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { S3ServiceException } from '@aws-sdk/client-s3'
import { reasonOf } from '../log.ts'
import type { EgressJob, Output } from './job.ts'
import { uploadToS3 } from './upload-to-s3.ts'

/** Where the file is now, as published in the egress info. */
export interface Delivery {
  filename: string
  location: string
  sizeBytes: number
}

interface DeliveryOptions {
  /** Until then a storage that is out of reach is tried again. */
  signal: AbortSignal
  /** Reported as delivered, but missing: a fault of tests. */
  isLost: boolean
  /** After the first, second, ... failure; the last one holds for all that follow. */
  pausesMs?: readonly number[]
}

const PAUSES_MS = [2_000, 10_000, 30_000, 60_000]

/** Brings the finished file to where it was asked for. Rejects in the words of LiveKit Egress. */
export async function deliver(
  file: string,
  { output }: EgressJob,
  { signal, isLost, pausesMs = PAUSES_MS }: DeliveryOptions,
): Promise<Delivery> {
  const { size: sizeBytes } = await stat(file)
  if (isLost) {
    const filename = output.kind === 's3' ? output.key : output.file
    return { filename, location: filename, sizeBytes }
  }
  if (output.kind === 's3') {
    const location = await uploaded('S3', () => keepUploading(file, output, { signal, pausesMs }))
    return { filename: output.key, location, sizeBytes }
  }
  await uploaded('Local', () => placeFile(file, output.file))
  return { filename: output.file, location: output.file, sizeBytes }
}

async function uploaded<T>(where: string, upload: () => Promise<T>): Promise<T> {
  try {
    return await upload()
  } catch (error) {
    throw new Error(`${where} upload failed: ${reasonOf(error)}`, { cause: error })
  }
}

/** A storage that is out of reach for a while costs no recording; one that refuses does. */
async function keepUploading(
  file: string,
  output: Extract<Output, { kind: 's3' }>,
  { signal, pausesMs }: { signal: AbortSignal; pausesMs: readonly number[] },
): Promise<string> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await uploadToS3(file, output, signal)
    } catch (error) {
      if (signal.aborted || isRefusal(error)) throw error
      const pauseMs = pausesMs[failures] ?? pausesMs.at(-1)
      await delay(pauseMs, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false
  const { httpStatusCode = 500 } = error.$metadata
  return httpStatusCode < 500 && ![408, 429].includes(httpStatusCode)
}

/** The file appears whole under its name, also when it comes from another disk. */
async function placeFile(file: string, target: string): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.new`)
  try {
    await rename(file, temporary).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
      await copyFile(file, temporary)
    })
    await syncFile(temporary)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** On disk, so that a file reported as delivered survives a power cut. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
