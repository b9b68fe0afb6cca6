import { useMemo } from 'react'
import { Dialog, DialogTrigger, Heading } from 'react-aria-components'
import { Select } from '../../design/select.tsx'
import { useCaptionsText } from '../../i18n/captions-text.ts'
import { languageName } from '../../i18n/language-name.ts'
import { useLocale } from '../../i18n/language.tsx'
import { useLiveState } from '../../live/use-live.tsx'
import { translatedTo } from '../../live/utterances.ts'
import { ControlButton } from '../tools/control-button.tsx'
import { RoomPopover } from '../tools/room-popover.tsx'
import { CaptionsIcon } from './caption-icons.tsx'
import styles from './caption-menu.module.css'
import { CAPTION_SIZES, type CaptionChoice } from './use-caption-choice.ts'

/** The choices of captions, where the person may have them. */
export function CaptionMenu({ choice }: { choice: CaptionChoice }) {
  const text = useCaptionsText()
  const hasLiveText = useLiveState((state) => state.hasLiveText)
  if (!hasLiveText) return null
  return (
    <DialogTrigger>
      <ControlButton
        icon={<CaptionsIcon isOff={!choice.isOn} />}
        label={text.button}
        look="plain"
      />
      <RoomPopover placement="top">
        <Dialog className={styles.menu ?? ''}>
          <Heading slot="title" level={2}>
            {text.title}
          </Heading>
          <label className={styles.choice}>
            <input
              type="checkbox"
              checked={choice.isOn}
              onChange={({ target }) => choice.change({ isOn: target.checked })}
            />
            <span>{text.show}</span>
          </label>
          <SizeChoice choice={choice} />
          <LanguageChoice choice={choice} />
        </Dialog>
      </RoomPopover>
    </DialogTrigger>
  )
}

function SizeChoice({ choice }: { choice: CaptionChoice }) {
  const text = useCaptionsText()
  return (
    <fieldset className={styles.sizes}>
      <legend>{text.size}</legend>
      {CAPTION_SIZES.map((size) => (
        <label key={size} className={styles.choice}>
          <input
            type="radio"
            name="caption-size"
            checked={choice.size === size}
            onChange={() => choice.change({ size })}
          />
          <span>{text.sizes[size]}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** A choice between what was said and its translations, if there are any. */
export function LanguageChoice({ choice }: { choice: CaptionChoice }) {
  const text = useCaptionsText()
  const locale = useLocale()
  const utterances = useLiveState((state) => state.utterances)
  const languages = useMemo(() => translatedTo(utterances), [utterances])
  if (languages.length === 0) return null
  const translations = languages.map((id) => ({ id, label: languageName(id, locale) }))
  return (
    <Select
      label={text.language}
      options={[{ id: ORIGINAL, label: text.original }, ...translations]}
      value={languages.find((each) => each === choice.language) ?? ORIGINAL}
      placeholder={text.original}
      onChange={(id) => choice.change({ language: id === ORIGINAL ? null : id })}
    />
  )
}

const ORIGINAL = 'original'
