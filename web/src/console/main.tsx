import '../design/tokens.css'
import '../design/base.css'
import { chooseLocale, recallLocale } from '../i18n/locale.ts'
import { openTabStorage } from '../live/tab-storage.ts'
import { mountPage } from '../pages/mount-page.tsx'
import { createApiKeyStore } from './api-key-store.ts'
import { ConsolePage } from './console-page.tsx'

mountPage()(
  chooseLocale([recallLocale(), ...navigator.languages]),
  <ConsolePage keys={createApiKeyStore(openTabStorage())} />,
)
