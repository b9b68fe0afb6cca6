import { LOCALES, type Locale } from '@interview-room/contract/vocabulary.ts'
import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { I18nProvider } from 'react-aria-components'
import styles from './language.module.css'
import { rememberLocale } from './locale.ts'

interface Language {
  locale: Locale
  setLocale: (locale: Locale) => void
}

const LanguageContext = createContext<Language>({ locale: 'ja', setLocale: () => {} })

/** Sets the language of its content and of the document. */
export function LanguageProvider({ initial, children }: { initial: Locale; children: ReactNode }) {
  const [locale, setLocale] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = locale
  }, [locale])

  return (
    <LanguageContext value={{ locale, setLocale }}>
      <I18nProvider locale={locale}>{children}</I18nProvider>
    </LanguageContext>
  )
}

export function useLocale(): Locale {
  return use(LanguageContext).locale
}

const NAMES: Record<Locale, string> = { ja: '日本語', en: 'English' }

/** Offers the other language under its own name. */
export function LanguageSwitch() {
  const { locale, setLocale } = use(LanguageContext)
  const other = LOCALES.find((each) => each !== locale) ?? locale
  return (
    <button
      type="button"
      className={styles.switch}
      lang={other}
      onClick={() => {
        rememberLocale(other)
        setLocale(other)
      }}
    >
      {NAMES[other]}
    </button>
  )
}
