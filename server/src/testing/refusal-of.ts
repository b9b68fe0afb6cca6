import { ServiceError } from '../platform/lib/service-error.ts'

/** The refusal that this throws, as code and details. */
export function refusalOf(
  work: () => unknown,
): { code: string; details: string[][] | undefined } | undefined {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { code: error.code, details: error.details?.map(({ field, code }) => [field, code]) }
  }
  return undefined
}
