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
    request.addEventListener('load', () => resolve(request.status < 300 ? 'done' : 'refused'))
    request.addEventListener('error', () => resolve('offline'))
    request.addEventListener('timeout', () => resolve('offline'))
    request.send(file)
  })

export function mimeOf(file: File): string {
  return file.type === '' ? 'application/octet-stream' : file.type
}
