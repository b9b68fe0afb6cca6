const TIMEOUT_MS = 10 * 60_000

interface UploadOptions {
  onProgress: (share: number) => void
  /** Stops the upload early, with the result `offline`. */
  stopped: AbortSignal
}

/** Uploads a file to a signed URL. `fetch` cannot report the progress of an upload. */
export type Upload = (
  url: string,
  file: File,
  options: UploadOptions,
) => Promise<'done' | 'refused' | 'offline'>

export const uploadFile: Upload = (url, file, { onProgress, stopped }) =>
  new Promise((resolve) => {
    if (stopped.aborted) return resolve('offline')
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.timeout = TIMEOUT_MS
    request.setRequestHeader('content-type', mimeOf(file))
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    )
    request.addEventListener('load', () => resolve(outcomeOf(request.status)))
    request.addEventListener('error', () => resolve('offline'))
    request.addEventListener('timeout', () => resolve('offline'))
    request.addEventListener('abort', () => resolve('offline'))
    stopped.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
    return undefined
  })

/** A storage that fails or is too busy may accept the same file later. */
function outcomeOf(status: number): 'done' | 'refused' | 'offline' {
  if (status < 300) return 'done'
  return status >= 500 || status === 429 ? 'offline' : 'refused'
}

export function mimeOf(file: File): string {
  return file.type === '' ? 'application/octet-stream' : file.type
}
