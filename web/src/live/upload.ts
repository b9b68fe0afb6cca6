const TIMEOUT_MS = 10 * 60_000

/** Puts a file to a signed address. `fetch` cannot report upload progress. */
export type Upload = (
  url: string,
  file: File,
  onProgress: (share: number) => void,
) => Promise<'done' | 'refused' | 'offline'>

export const uploadFile: Upload = (url, file, onProgress) =>
  new Promise((resolve) => {
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
    request.send(file)
  })

/** A storage in trouble, or too busy, takes the same file later. */
function outcomeOf(status: number): 'done' | 'refused' | 'offline' {
  if (status < 300) return 'done'
  return status >= 500 || status === 429 ? 'offline' : 'refused'
}

export function mimeOf(file: File): string {
  return file.type === '' ? 'application/octet-stream' : file.type
}
