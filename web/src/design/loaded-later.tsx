import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

const RETRY_MS = 3000

/** What is drawn until the part is there; `hasFailed`: the last attempt did not bring it. */
type Meanwhile = (hasFailed: boolean) => ReactNode

/**
 * A part of the page that is loaded when it is first drawn, to keep the page small for those who never need
 * it. Tried again until it comes (under another address, by `import-again.ts`); what stands around it stays usable.
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
          // No network, or a newer release of the service than of this page.
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
