import { useState } from 'react'
import type { PointerChannel } from '../../connection/pointer-channel.ts'
import { loadedLater } from '../../design/loaded-later.tsx'
import type { PointerButtonProps, PointerLayerProps } from './pointer-layer.tsx'

const load = () => import('./pointer-layer.tsx')
const PointerLayer = loadedLater<PointerLayerProps>(async () => (await load()).PointerLayer)
const PointerButton = loadedLater<PointerButtonProps>(async () => (await load()).PointerButton)

/**
 * A moderator's pointer on a shown picture: the layer over the picture, once its shape is known, and the moderator's
 * button.
 */
export function usePointer({
  channel,
  handoutId,
  canModerate,
}: {
  channel: PointerChannel
  handoutId: string
  canModerate: boolean
}) {
  const [shape, setShape] = useState<number>()
  const [isPointing, setIsPointing] = useState(false)
  return {
    /** Called with width / height of the picture. */
    onShape: setShape,
    layer: shape !== undefined && (
      <PointerLayer
        {...{ channel, handoutId, shape, isPointing }}
        onEnd={() => setIsPointing(false)}
      />
    ),
    button: canModerate && <PointerButton {...{ isPointing, onChange: setIsPointing }} />,
  }
}
