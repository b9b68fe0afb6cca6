import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useStore } from '../pages/store.ts'
import { Axis } from './axis/axis.tsx'
import { ClipsPanel } from './clips/clips-panel.tsx'
import { CommentsPanel } from './comments/comments-panel.tsx'
import { useText } from './review-text.ts'
import { TABS, type TabId, useStudy } from './study-context.ts'
import styles from './study-tabs.module.css'
import { TranscriptPanel } from './transcript/transcript-panel.tsx'

const PANELS: Record<TabId, () => React.ReactNode> = {
  transcript: TranscriptPanel,
  comments: CommentsPanel,
  clips: ClipsPanel,
  axis: Axis,
}

/** The panels beside the video, or under it on a phone. The axis is one of them only there. */
export function StudyTabs({ hasAxis }: { hasAxis: boolean }) {
  const text = useText()
  const { desk, may, comments, clips } = useStudy()
  const tab = useStore(desk, (state) => state.tab)
  const isOffered: Record<TabId, boolean> = {
    transcript: true,
    comments: may('comment'),
    clips: may('clip'),
    axis: hasAxis,
  }
  const counts: Partial<Record<TabId, number>> = {
    comments: comments.data?.filter(({ is_resolved: isDone }) => !isDone).length ?? 0,
    clips: clips.data?.length ?? 0,
  }
  const offered = TABS.filter((id) => isOffered[id])
  return (
    <Tabs
      className={styles.tabs ?? ''}
      selectedKey={isOffered[tab] ? tab : 'transcript'}
      onSelectionChange={(key) =>
        desk.set({ tab: TABS.find((each) => each === key) ?? 'transcript' })
      }
    >
      <TabList className={styles.list ?? ''} aria-label={text.tabs.label}>
        {offered.map((id) => (
          <Tab key={id} id={id} className={styles.tab ?? ''}>
            <span>{text.tabs[id]}</span>
            {(counts[id] ?? 0) > 0 && <span className={styles.count}>{counts[id]}</span>}
          </Tab>
        ))}
      </TabList>
      {offered.map((id) => {
        const Panel = PANELS[id]
        return (
          <TabPanel key={id} id={id} className={styles.panel ?? ''}>
            <Panel />
          </TabPanel>
        )
      })}
    </Tabs>
  )
}
