import { EXPORT_CONTENTS } from '@interview-room/contract/review.ts'
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { Button } from '../design/button.tsx'
import styles from '../design/choice-menu.module.css'
import { useAction } from '../pages/use-action.ts'
import { Problem } from './problem.tsx'
import { useText } from './review-text.ts'
import { useStudy } from './study-context.ts'

const FILE = 'file'

/** Downloads of the recording: the file, everything as one ZIP, and tables of what the viewer may read. */
export function Exports() {
  const text = useText()
  const { api, may, recording } = useStudy()
  const { isBusy, error, run } = useAction()
  const tables = EXPORT_CONTENTS.filter(
    (each) => (each !== 'comments' || may('comment')) && (each !== 'clips' || may('clip')),
  )
  const items = [FILE, ...tables].map((id) => ({ id, label: text.exports[id as typeof FILE] }))

  async function download(key: string): Promise<void> {
    const content = tables.find((each) => each === key)
    await run(async () => {
      const { url } = await (content === undefined
        ? api.downloadUrl(recording.id)
        : api.exportUrl(recording.id, content))
      location.assign(url)
    })
  }

  return (
    <>
      <MenuTrigger>
        <Button size="small" isPending={isBusy}>
          {text.download}
        </Button>
        <Popover className={styles.popover ?? ''}>
          <Menu
            className={styles.menu ?? ''}
            aria-label={text.download}
            items={items}
            onAction={(key) => void download(String(key))}
          >
            {({ id, label }) => (
              <MenuItem id={id} textValue={label} className={styles.item ?? ''}>
                {label}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      </MenuTrigger>
      <Problem error={error} />
    </>
  )
}
