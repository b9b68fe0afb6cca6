import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

const RETRY_MS = 3000

/** The content until the part is loaded. `hasFailed` is true if the last attempt failed. */
type Meanwhile = (hasFailed: boolean) => ReactNode

/**
 * A part of the page that is loaded when it is first rendered, which keeps the page small for people who never need
 * it. Loading is retried until it succeeds (under another address, by `import-again.ts`), and the rest of the page
 * stays usable.
 */
export function loadedLater<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  return function LoadedLater({ children, ...props }: Props & { children?: Meanwhile }) {
    const [hasFailed, setHasFailed] = useState(false)
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (Part !== undefined) return undefined
      let timer: ReturnType<typeof setTimeout> | undefined
      let isGone = false
      async function attempt(): Promise<void> {
        try {
          loaded ??= await load()
          if (!isGone) setPart(() => loaded)
        } catch {
          // There is no network, or the service is newer than this page.
          if (isGone) return
          setHasFailed(true)
          timer = setTimeout(() => void attempt(), RETRY_MS)
        }
      }
      void attempt()
      return () => {
        isGone = true
        clearTimeout(timer)
      }
    }, [Part])
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all but the children
    return Part === undefined ? children?.(hasFailed) : <Part {...(props as unknown as Props)} />
  }
}
