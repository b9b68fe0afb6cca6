import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../lib/log.ts'
import type { EgressJob, Output } from './job.ts'
import { isRefusal, keepTrying } from './keep-trying.ts'
import { uploadToS3 } from './upload-to-s3.ts'

/** Place of the finished file, as published in the egress info. */
interface Delivery {
  filename: string
  location: string
  sizeBytes: number
}

/** Outcome of an egress. */
export interface Production {
  durationMs: number
  delivered: Delivery
}

/** After the first, second, ... failure; the last one holds for all that follow. */
const PAUSES_MS = [2_000, 10_000, 30_000, 60_000]

/**
 * Brings the finished file to where it was asked for. Rejects in the words of LiveKit Egress.
 * @param signal ends the tries to reach a storage that is out of reach.
 */
export async function deliver(
  file: string,
  { output }: EgressJob,
  signal: AbortSignal,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<Delivery> {
  const { size: sizeBytes } = await stat(file)
  if (output.kind === 's3') {
    const upload = () => uploadToS3(file, output, signal)
    const patience = { signal, pausesMs, isFinal: isRefusal }
    const location = await uploaded(output, () => keepTrying(upload, patience))
    return { filename: output.key, location, sizeBytes }
  }
  await uploaded(output, () => placeFile(file, output.file))
  return { filename: output.file, location: output.file, sizeBytes }
}

/** A failure is reported in the words of LiveKit Egress. */
export async function uploaded<T>(
  { kind }: Pick<Output, 'kind'>,
  upload: () => Promise<T>,
): Promise<T> {
  try {
    return await upload()
  } catch (error) {
    const where = kind === 's3' ? 'S3' : 'Local'
    throw new Error(`${where} upload failed: ${reasonOf(error)}`, { cause: error })
  }
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
