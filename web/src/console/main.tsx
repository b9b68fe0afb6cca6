import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../i18n/language.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { createApiKeyStore } from '../live/api-key-store.ts'
import { ConsolePage } from './console-page.tsx'

const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root element')

createRoot(root).render(
  <LanguageProvider initial={chooseLocale([recallLocale(), ...navigator.languages])}>
    <ConsolePage keys={createApiKeyStore(globalThis.sessionStorage)} />
  </LanguageProvider>,
)
