import type { BrandingBody } from '@interview-room/contract/branding.ts'
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react'
import styles from './branding.module.css'

/** The look of this page. It is the service's own until the service has named the room's tenant. */
export interface BrandingStore {
  get: () => BrandingBody | null
  set: (branding: BrandingBody | null) => void
  subscribe: (listener: () => void) => () => void
}

/** Applies the tenant's colours to the page as soon as they are known. */
export function createBrandingStore(): BrandingStore {
  const listeners = new Set<() => void>()
  let current: BrandingBody | null = null
  return {
    get: () => current,
    set(branding) {
      if (branding === null) return
      current = branding
      paint(branding)
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const BrandingContext = createContext<BrandingStore | null>(null)

export function BrandingProvider({
  store,
  children,
}: {
  store: BrandingStore
  children: ReactNode
}) {
  return <BrandingContext value={store}>{children}</BrandingContext>
}

const noChange = () => () => {}
const nothing = () => null
const ignore = () => {}

/** The tenant's branding. Null while the page has the service's own look. */
export function useBranding(): BrandingBody | null {
  const store = use(BrandingContext)
  return useSyncExternalStore(store?.subscribe ?? noChange, store?.get ?? nothing)
}

/** Gives the page the look of a tenant, which is known only after the page has been drawn. */
export function useBrandingSetter(): BrandingStore['set'] {
  return use(BrandingContext)?.set ?? ignore
}

/** Logo and name of the tenant, or the name of the service. */
export function BrandMark({ productName }: { productName: string }) {
  const branding = useBranding()
  return (
    <span className={styles.mark}>
      <BrandLogo />
      <span>{branding?.name ?? productName}</span>
    </span>
  )
}

/** Hidden from screen readers, because the name next to it says the same. */
export function BrandLogo() {
  const url = useBranding()?.logo_url
  return url == null ? null : <img className={styles.logo} src={url} alt="" />
}

type Palette = NonNullable<BrandingBody['palette']>['light']

/** A constructed style sheet, because the page's content security policy forbids other dynamic styles. */
let sheet: CSSStyleSheet | undefined

function paint({ palette }: BrandingBody): void {
  if (palette === null) return
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  const { light, dark } = palette
  const places = ':root, [data-scheme]'
  sheet.replaceSync(
    `${places} { ${rulesOf(light)} }
    @media (prefers-color-scheme: dark) { ${places} { ${rulesOf(dark)} } }
    [data-scheme="dark"] { ${rulesOf(dark)} }`,
  )
}

function rulesOf(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name.replaceAll('_', '-')}: ${color};`)
    .join(' ')
}
