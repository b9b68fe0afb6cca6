import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import type { Storage } from '../storage.ts'

/** Objects as files below one folder of this machine. */
export function createFolderStorage(folder: string): Storage {
  return {
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK)
    },
  }
}
