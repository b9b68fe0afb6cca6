import { existsSync } from 'node:fs'

/** Takes the settings of `.env` in the working directory, where there is one; the environment outranks them. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}
