import { EXPORT_CONTENTS } from '@interview-room/contract/review.ts'
import { DownloadMenu } from './download-button.tsx'
import { useText } from './review-text.ts'
import { useStudy } from './study-context.ts'

const FILE = 'file'

/** Downloads of the recording: the file, everything as one ZIP, and tables of what the viewer may read. */
export function Exports() {
  const text = useText()
  const { api, may, recording } = useStudy()
  const tables = EXPORT_CONTENTS.filter(
    (each) => (each !== 'comments' || may('comment')) && (each !== 'clips' || may('clip')),
  )
  return (
    <DownloadMenu
      label={text.download}
      items={[FILE, ...tables].map((id) => ({ id, label: text.exports[id as typeof FILE] }))}
      issue={async (id) => {
        const content = tables.find((each) => each === id)
        return content === undefined
          ? api.downloadUrl(recording.id)
          : api.exportUrl(recording.id, content)
      }}
    />
  )
}
