import '../design/tokens.css'
import '../design/base.css'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../i18n/language.tsx'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { PlaygroundPage } from './playground-page.tsx'

const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no root element')

createRoot(root).render(
  <LanguageProvider initial={chooseLocale([recallLocale(), ...navigator.languages])}>
    <PlaygroundPage />
  </LanguageProvider>,
)
