import { IconButton } from '../../design/icon-button.tsx'
import { SpeakerIcon } from '../../design/icons.tsx'
import { useStore } from '../../pages/store.ts'
import { useText } from '../review-text.ts'
import { useStudy } from '../study-context.ts'
import styles from './controls.module.css'

/** Hidden on a phone, which has keys for the volume. */
export function Volume() {
  const text = useText().watching
  const { player } = useStudy()
  const isMuted = useStore(player.store, (state) => state.isMuted)
  const volume = useStore(player.store, (state) => state.volume)
  return (
    <span className={styles.extra}>
      <IconButton
        label={isMuted ? text.unmute : text.mute}
        icon={<SpeakerIcon isOff={isMuted} />}
        onPress={() => player.setMuted(!isMuted)}
      />
      <input
        type="range"
        className={styles.volume}
        aria-label={text.volume}
        aria-valuetext={`${Math.round((isMuted ? 0 : volume) * 100)} %`}
        min={0}
        max={1}
        step={0.05}
        value={isMuted ? 0 : volume}
        onChange={({ target }) => player.setVolume(Number(target.value))}
      />
    </span>
  )
}
