import { useCallback, useEffect, useState } from 'react'
import { SkipLink } from '../design/skip-link.tsx'
import { LanguageSwitch } from '../i18n/language.tsx'
import { type ApiKeyStore, keyIdOf } from './api-key-store.ts'
import { ConsoleError } from './console-api.ts'
import type { SignedIn } from './console-context.ts'
import { useText } from './console-text.ts'
import styles from './console.module.css'
import { openConsole } from './open-console.ts'
import { SignIn, type SignInProblem } from './sign-in.tsx'
import { SignedInPage } from './signed-in-page.tsx'

type PageState =
  | { phase: 'signed-out'; problem: SignInProblem | null }
  | { phase: 'checking' }
  | { phase: 'signed-in'; signedIn: SignedIn }

/** One page for every state of the console. */
export function ConsolePage({ keys }: { keys: ApiKeyStore }) {
  const text = useText()
  const [state, setState] = useState<PageState>(
    keys.read() === null ? { phase: 'signed-out', problem: null } : { phase: 'checking' },
  )

  const signOut = useCallback(
    (problem: SignInProblem | null) => {
      keys.forget()
      setState({ phase: 'signed-out', problem })
    },
    [keys],
  )

  const check = useCallback(
    (apiKey: string) => checkKey(apiKey, keys, () => signOut('ended')),
    [keys, signOut],
  )

  function signIn(apiKey: string): void {
    if (keyIdOf(apiKey) === undefined) return signOut('malformed')
    setState({ phase: 'checking' })
    void check(apiKey).then(setState)
  }

  useEffect(() => {
    const kept = keys.read()
    if (kept !== null) void check(kept).then(setState)
  }, [keys, check])
  useEffect(() => {
    document.title = text.title
  }, [text])

  if (state.phase === 'signed-in') {
    return <SignedInPage signedIn={state.signedIn} onSignOut={() => signOut(null)} />
  }
  return (
    <div className={styles.page}>
      <SkipLink />
      <header className={styles.header}>
        <h1 className={styles.brand}>
          {text.productName} <span>{text.title}</span>
        </h1>
        <LanguageSwitch />
      </header>
      <main>
        <SignIn
          isBusy={state.phase === 'checking'}
          problem={state.phase === 'signed-out' ? state.problem : null}
          onSignIn={signIn}
        />
      </main>
    </div>
  )
}

/** @param onEnded is called when an accepted key is not accepted any more. */
async function checkKey(
  apiKey: string,
  keys: ApiKeyStore,
  onEnded: () => void,
): Promise<PageState> {
  try {
    const signedIn = await openConsole(apiKey, onEnded)
    keys.keep(apiKey)
    return { phase: 'signed-in', signedIn }
  } catch (error) {
    const isRefused = error instanceof ConsoleError && error.code === 'UNAUTHORIZED'
    // An unreachable service does not mean that the key is invalid. A reload may find it accepted.
    if (isRefused) keys.forget()
    return { phase: 'signed-out', problem: isRefused ? 'refused' : 'unreachable' }
  }
}
