import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Panel } from '../design/panel.tsx'
import { useText } from './console-text.ts'
import styles from './console.module.css'

/** `ended`: the key was accepted before. `refused`: it is unknown, has expired, or lacks the scope. */
export type SignInProblem = 'malformed' | 'refused' | 'ended' | 'unreachable'

interface SignInProps {
  isBusy: boolean
  problem: SignInProblem | null
  onSignIn: (apiKey: string) => void
}

/** Asks for the API key. It is not a person's password, so browsers are asked not to offer to save it. */
export function SignIn({ isBusy, problem, onSignIn }: SignInProps) {
  const text = useText().signIn
  const [apiKey, setApiKey] = useState('')
  return (
    <div className={styles.narrow}>
      <Panel title={text.title}>
        <p className={styles.lead}>{text.lead}</p>
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {text.problem[problem]}
          </p>
        )}
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            onSignIn(apiKey.trim())
          }}
        >
          <label className={styles.wide}>
            {text.apiKey}
            <input
              type="password"
              autoComplete="off"
              spellCheck={false}
              required
              value={apiKey}
              onChange={(event) => setApiKey(event.target.value)}
            />
          </label>
          <div className={styles.wide}>
            <Button type="submit" look="primary" isPending={isBusy}>
              {isBusy ? text.checking : text.submit}
            </Button>
          </div>
        </form>
        <p className={styles.lead}>{text.kept}</p>
        <pre className={styles.code}>
          npm run admin -- api-keys issue --tenant &lt;id&gt; --scope control --scope manage
        </pre>
      </Panel>
    </div>
  )
}
