import { Button } from '../../design/button.tsx'
import { PageDialog } from '../../design/page-dialog.tsx'
import { useStore } from '../../pages/store.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './key-help.module.css'

/** The keys of the page. What the viewer may not do is not listed. */
export function KeyHelp() {
  const { title, close, keys } = useText().keys
  const { desk, may } = useStudy()
  const isOpen = useStore(desk, (state) => state.isHelpOpen)
  const rows = [
    { press: ['Space', 'K'], words: keys.toggle },
    { press: ['←', '→'], words: keys.near },
    { press: ['J', 'L'], words: keys.far },
    { press: ['Shift + ←', 'Shift + →'], words: keys.sentence },
    { press: [',', '.'], words: keys.frame },
    { press: ['<', '>'], words: keys.rate },
    { press: ['C'], words: keys.comment, isHidden: !may('comment') },
    { press: ['I', 'O'], words: keys.clip, isHidden: !may('clip') },
    { press: ['/'], words: keys.search },
    { press: ['V'], words: keys.captions },
    { press: ['M'], words: keys.mute },
    { press: ['F'], words: keys.fullScreen },
    { press: ['?'], words: keys.help },
  ].filter(({ isHidden }) => isHidden !== true)
  return (
    <PageDialog
      title={title}
      isOpen={isOpen}
      onOpenChange={(isHelpOpen) => desk.set({ isHelpOpen })}
      buttons={<Button onPress={() => desk.set({ isHelpOpen: false })}>{close}</Button>}
    >
      <dl className={styles.keys}>
        {rows.map(({ press, words }) => (
          <div key={words}>
            <dt>
              {press.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </PageDialog>
  )
}
