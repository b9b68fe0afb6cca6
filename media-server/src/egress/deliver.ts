import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { reasonOf } from '../log.ts'
import type { EgressJob } from './job.ts'
import { uploadToS3 } from './upload-to-s3.ts'

/** Where the file is now, as the info tells it. */
export interface Delivered {
  filename: string
  location: string
  sizeBytes: number
}

/** Brings the finished file to where it was asked for. Rejects in the words of LiveKit Egress. */
export async function deliver(
  file: string,
  { output }: EgressJob,
  { signal, isLost }: { signal: AbortSignal; isLost: boolean },
): Promise<Delivered> {
  const { size: sizeBytes } = await stat(file)
  if (isLost) {
    const filename = output.kind === 's3' ? output.key : output.file
    return { filename, location: filename, sizeBytes }
  }
  if (output.kind === 's3') {
    const location = await uploaded('S3', () => uploadToS3(file, output, signal))
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

/** On disk, so that what was told as delivered survives a power cut. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
